/* The object types of all groups, for the navigation and the set-up. */
import {useEffect, useState} from 'preact/hooks';
import {loadGroups, loadTypes, watchSettings} from './kinds';

const GROUPS_MAX = 100; /* groups whose object types are read, */
const GROUPS_AT_ONCE = 8; /* these at once, the others with pauses */
const PAUSE_MS = 250;

export interface TypeLink {
	group: string;
	groupName: string;
	name: string;
}

/* The object types of all groups, read slowly, so that the page itself has most of the rate limit. */
export function useTypes(ready: boolean): {types: TypeLink[] | null; error: unknown} {
	const [types, setTypes] = useState<TypeLink[] | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [version, setVersion] = useState(0);

	useEffect(() => watchSettings(() => setVersion((n) => n + 1)), []);
	useEffect(() => {
		let on = ready;
		const load = async () => {
			const all: TypeLink[] = [];
			for (const [i, group] of (await loadGroups()).slice(0, GROUPS_MAX).entries()) {
				if (i >= GROUPS_AT_ONCE) await new Promise((done) => setTimeout(done, PAUSE_MS));
				if (!on) return;
				for (const {name} of await loadTypes(group.id)) all.push({group: group.id, groupName: group.name, name});
				if (!version && i >= GROUPS_AT_ONCE - 1) setTypes([...all]);
			}
			if (on) setTypes(all);
		};
		if (ready) load().catch((e) => on && setError(e));
		return () => void (on = false);
	}, [ready, version]);
	return {types, error};
}
