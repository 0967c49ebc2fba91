/** Draws a QR code as one path of unit squares. */
import { encode } from 'uqr';

/** The path, and the width of the square it fills; the margin that scanners need is not in it. */
export function drawQrCode(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { size, path };
}
