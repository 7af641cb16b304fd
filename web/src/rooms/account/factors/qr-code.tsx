import { encode } from 'uqr';

/** Light modules around a code, which readers need. */
const QUIET = 2;

/** A QR code, drawn here: what is in it goes nowhere. Black on white in any scheme, as readers expect it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${String(x)} ${String(y)}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${String(size)} ${String(size)}`}
      width={200}
      height={200}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      style={{ background: '#fff', borderRadius: 4, flexShrink: 0 }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
