/** Facts in the form in which people read them. */

/** A wait as people say it: "40 seconds", "2 minutes". */
export function formatWait(seconds: number): string {
  const [count, unit] =
    seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
