/** Draws a QR code as one path of unit squares. */
import { encode } from 'uqr';

/** The path, and the width of its square in units. The margin that scanners need is not included. */
export function drawQrCode(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { size, path };
}
