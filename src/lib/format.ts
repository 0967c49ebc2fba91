/** Formats numbers and times for users. */

/** A wait in words: "40 seconds", "2 minutes". */
export function formatWait(seconds: number): string {
  const [count, unit] =
    seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * A whole number with commas between thousands: 12,345. Without `Intl`, which takes milliseconds on a
 * slow phone: figures that count up are formatted in each frame.
 */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
