/** A moment as people say it: "Today, 14:05", "Yesterday, 09:30", "3 days ago, 22:10", "21 Nov 2026, 14:05". */

/** The app speaks English; of its kinds this one has no a.m. and p.m. */
const language = 'en-GB';
const days = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(language, { timeStyle: 'short' });

const dayMs = 86_400_000;
/** From here on a date says more than a number of days. */
const longAgoDays = 7;

/** `moment` is ISO 8601; undefined when it cannot be read. */
export function dayAndTime(moment: string, now = new Date()): string | undefined {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) {
    return undefined;
  }
  // A clock that is behind the server's must not speak of tomorrow.
  const ago = Math.max(0, dayOf(now) - dayOf(at));
  const day = ago < longAgoDays ? days.format(-ago, 'day') : dates.format(at);
  return `${day.charAt(0).toUpperCase()}${day.slice(1)}, ${times.format(at)}`;
}

/** The number of the person's own calendar day, whatever summer time does to its length. */
function dayOf(at: Date): number {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / dayMs;
}
