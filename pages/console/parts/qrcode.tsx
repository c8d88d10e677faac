/* A text as a QR code: always dark on light, because cameras do not read the reverse. */
import {encode} from 'uqr';

const MARGIN = 4; /* modules, which the standard asks for */

export function QrCode({label, text}: {label: string; text: string}) {
	const {data, size} = encode(text, {ecc: 'M', border: MARGIN});
	const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));

	return (
		<svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
			<path d={dark.join('')} />
		</svg>
	);
}
