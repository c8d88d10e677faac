/* Finds records that may be the same among all of a kind, by the reasons of the API's duplicates (docs/merging.md). They are
 * looked at page by page, so any number of them costs only time. */
import type {RecordData, Ref} from './fields';
import {type Kind, aboutOf} from './kinds';
import {itemKey} from './merge';

export interface Alike {
	id: string;
	name: string;
	/* What tells it from others of the same name. */
	about: string;
	/* What it shares with others of its group. */
	reasons: Map<string, Trait>;
}

/* What records may share: an unambiguous key, and the field and value as they are shown. */
interface Trait {
	key: string;
	field: string;
	value: string;
}

const LISTS = ['emails', 'phones', 'urls'] as const;

function traitsOf(kind: Kind, record: RecordData): Trait[] {
	const items = LISTS.flatMap((field) =>
		((record[field] ?? []) as string[]).map((value) => ({key: `${field} ${itemKey({type: field}, value)}`, field, value})),
	);
	const name = String(record.fullName ?? '');
	const together = kind.name === 'people' && name ? ((record.companies ?? []) as Ref[]) : [];
	const named = together.map((c) => ({key: `name ${c.id} ${name}`, field: 'fullName', value: `${name}, ${c.name ?? ''}`}));
	/* A telephone number without a digit is no reason. */
	return [...items.filter(({key, field}) => key.length > field.length + 1), ...named];
}

export class Comparison {
	/* The record that was first to have a trait. */
	private firsts = new Map<string, number>();
	private records: Alike[] = [];
	/* Of each record another one that is the same; the root of a group is its own. */
	private same: number[] = [];

	constructor(private kind: Kind) {}

	private rootOf(i: number): number {
		while (this.same[i] !== i) {
			this.same[i] = this.same[this.same[i]!]!;
			i = this.same[i]!;
		}
		return i;
	}

	add(record: RecordData): void {
		const at = this.records.length;
		this.records.push({id: record.id, name: String(record[this.kind.nameMember] ?? ''), about: aboutOf(record), reasons: new Map()});
		this.same.push(at);
		for (const trait of traitsOf(this.kind, record)) {
			const first = this.firsts.get(trait.key) ?? at;
			this.firsts.set(trait.key, first);
			if (first === at) continue;
			for (const i of [first, at]) this.records[i]!.reasons.set(trait.key, trait);
			/* The older one is the root. */
			const [a, b] = [this.rootOf(first), this.rootOf(at)];
			this.same[Math.max(a, b)] = Math.min(a, b);
		}
	}

	get count(): number {
		return this.records.length;
	}

	/* Groups of at least two, each in the order in which its records were added. */
	groups(): Alike[][] {
		const groups = new Map<number, Alike[]>();
		for (const [i, record] of this.records.entries()) {
			if (!record.reasons.size) continue;
			const root = this.rootOf(i);
			groups.set(root, [...(groups.get(root) ?? []), record]);
		}
		return [...groups.values()];
	}
}
