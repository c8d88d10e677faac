/* Icons of the navigation: strokes in the colour of the text. */

const paths = {
	today: 'M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1M8 3v4M16 3v4M4 10h16M9 15l2 2 4-4',
	activity: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
	duplicates: 'M9 9h11v11H9zM5 15H4V4h11v1',
	people: 'M16 20v-1a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4v1M9.5 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M21 20v-1a4 4 0 0 0-3-3.9M16 4.2a3.5 3.5 0 0 1 0 6.7',
	account: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 13a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5M6 18.5a6.5 6.5 0 0 1 12 0',
	companies: 'M4 21V5a1 1 0 0 1 1-1h8a1 1 0 0 1 1 1v16M14 9h5a1 1 0 0 1 1 1v11M2 21h20M8 8h2M8 12h2M8 16h2',
	deals: 'M12 3l8.5 4.5L12 12 3.5 7.5 12 3M3.5 12L12 16.5 20.5 12M3.5 16.5L12 21l8.5-4.5',
	reports: 'M4 4v16h16M8 16v-4M12 16V7M16 16v-6',
	import: 'M12 3v12M7 10l5 5 5-5M4 20h16',
	webhooks: 'M10 13a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5M14 11a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5',
	events: 'M3 12h4l3 8 4-16 3 8h4',
	setup: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
	usage: 'M4 20V10M10 20V4M16 20v-7M22 20H2',
	admin: 'M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6l7-3M9 12l2 2 4-4',
} as const;

export type IconName = keyof typeof paths;

export function Icon({name}: {name: IconName}) {
	return (
		<svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
			<path d={paths[name]} fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" />
		</svg>
	);
}
