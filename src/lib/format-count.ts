/** Figures in the form in which people read them. Apart from format.ts, which the first page of a visitor loads. */

/**
 * A whole number with commas between thousands: 12,345. Figures that count up ask for one in each
 * frame, and the browser's own formats take milliseconds on a slow phone.
 */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
