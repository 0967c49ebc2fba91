/** Days and times by the user's own calendar and clock. */
import { locale } from './language.ts';

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const dates = {
  full: new Intl.DateTimeFormat(locale, { dateStyle: 'full' }),
  medium: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
};

const dayMs = 86_400_000;

type DayStyle = {
  /** Days from this many days ago on are shown as dates. */
  readonly datesFrom: number;
  readonly style: keyof typeof dates;
};

/** "14:05"; `at` in epoch milliseconds. */
export function formatTime(at: number): string {
  return times.format(at);
}

/** "Today", "Yesterday", "3 days ago", "21 Nov 2026"; `at` and `now` in epoch milliseconds. */
export function formatDay(at: number, { datesFrom, style }: DayStyle, now = Date.now()): string {
  // If the device's clock is behind the server's, "Tomorrow" would be wrong.
  const daysAgo = Math.max(0, toDayNumber(now) - toDayNumber(at));
  const day = daysAgo < datesFrom ? relative.format(-daysAgo, 'day') : dates[style].format(at);
  return day.charAt(0).toUpperCase() + day.slice(1);
}

/** The number of the calendar day, independent of daylight saving time. */
function toDayNumber(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs;
}

/** Of calendar days without a time. */
const calendar = {
  weekday: new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }),
  short: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  whole: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }),
};

/** A calendar day, such as 2026-11-27: "Fri", "27 Nov", or "Friday, 27 November 2026". */
export function formatCalendarDay(day: string, style: keyof typeof calendar): string {
  return calendar[style].format(new Date(`${day}T12:00:00Z`));
}
