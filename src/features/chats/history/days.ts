/** Moments by the person's own days and clock. */

/** The app speaks English; of its kinds this one has no a.m. and p.m. */
const language = 'en-GB';
const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
const dates = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
const times = new Intl.DateTimeFormat(language, { timeStyle: 'short' });

const dayMs = 86_400_000;

export function timeOf(ms: number): string {
  return times.format(ms);
}

/** "Today", "Yesterday", "Friday 20 November 2026". */
export function dayOf(ms: number, now = Date.now()): string {
  // A clock that is behind the server's must not speak of tomorrow.
  const ago = Math.max(0, numberOf(now) - numberOf(ms));
  const day = ago < 2 ? near.format(-ago, 'day') : dates.format(ms);
  return day.charAt(0).toUpperCase() + day.slice(1);
}

/** The number of the calendar day, whatever summer time does to its length. */
function numberOf(ms: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / dayMs;
}
