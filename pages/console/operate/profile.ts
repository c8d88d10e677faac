/* An Apple configuration profile with an account for contacts. The page makes it, because it has the password. */

export interface DavAccount {
	/* The address of /dav/. */
	address: string;
	userName: string;
	password: string;
	/* What the device calls the account. */
	title: string;
	/* The same for all profiles of one user on one server. A device that gets another profile of that name replaces the old one. */
	name: string;
}

type Value = string | number | boolean | Value[] | {[key: string]: Value};

/* Text of XML 1.0, which has no control characters. */
const escape = (text: string) =>
	text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function plistOf(value: Value): string {
	if (typeof value === 'string') return `<string>${escape(value)}</string>`;
	if (typeof value === 'number') return `<integer>${value}</integer>`;
	if (typeof value === 'boolean') return `<${value}/>`;
	if (Array.isArray(value)) return `<array>\n${value.map(plistOf).join('\n')}\n</array>`;
	return `<dict>\n${Object.entries(value).map(([key, v]) => `<key>${escape(key)}</key>${plistOf(v)}`).join('\n')}\n</dict>`;
}

/* A random UUID (version 4). randomUUID() exists on secure origins only. */
function newUuid(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	bytes[6] = (bytes[6]! & 0x0f) | 0x40;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	const hex = Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
}

/* The path is named only if it is not that of the host's root: there devices find it by /.well-known/carddav. */
function accountOf({address, userName, password, title, name}: DavAccount): Value {
	const {protocol, hostname, port, pathname} = new URL(address);
	const tls = protocol === 'https:';

	return {
		PayloadType: 'com.apple.carddav.account',
		PayloadVersion: 1,
		PayloadIdentifier: `${name}.contacts`,
		PayloadUUID: newUuid(),
		PayloadDisplayName: title,
		CardDAVAccountDescription: title,
		CardDAVHostName: hostname.replace(/^\[|\]$/g, ''),
		CardDAVPort: Number(port) || (tls ? 443 : 80),
		...(pathname === '/dav/' ? {} : {CardDAVPrincipalURL: pathname}),
		CardDAVUseSSL: tls,
		CardDAVUsername: userName,
		CardDAVPassword: password,
	};
}

function profileOf(account: DavAccount): string {
	const profile = {
		PayloadType: 'Configuration',
		PayloadVersion: 1,
		PayloadIdentifier: account.name,
		PayloadUUID: newUuid(),
		PayloadDisplayName: account.title,
		PayloadContent: [accountOf(account)],
	};
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		'<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
		`<plist version="1.0">${plistOf(profile)}</plist>`,
		'',
	].join('\n');
}

/* Safari on an iPhone or iPad offers to install what such an address has. A file that was saved there cannot be installed. */
export const installsProfiles = /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/* The profile as the address of a link. */
export const profileUrl = (account: DavAccount) =>
	`data:application/x-apple-aspen-config;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(profileOf(account))))}`;
