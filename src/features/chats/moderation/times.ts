/** Times that are typed, and points in time. */
import { durationLimits } from '#contract/chats/values';
import { formatDay, formatTime } from '#lib/dates';
import { joinList } from '#lib/format';
import { locale } from '#lib/language';

const units: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 7 * 86_400,
};

/** "1d12h" in seconds; undefined for what is no time or outside of the limits, which are those of Telegram at first. */
export function parseTime(
  text: string,
  { min, max }: { readonly min: number; readonly max: number } = durationLimits,
): number | undefined {
  const typed = text.replaceAll(/\s/g, '').toLowerCase();
  if (!/^(?:\d{1,9}[smhdw])+$/.test(typed)) {
    return undefined;
  }
  const seconds = [...typed.matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0),
    0,
  );
  return seconds >= min && seconds <= max ? seconds : undefined;
}

const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** "5 May 2026, 14:05", also for what is yet to come. */
export function momentText(at: number): string {
  return moments.format(at);
}

/** "14:05"; with the day when that is not today. */
export function shortText(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatTime(at) : momentText(at);
}

/** "Today, 14:05", "5 May 2026, 14:05"; for what has been. */
export function pastText(at: number): string {
  return joinList([formatDay(at, { datesFrom: 2, style: 'medium' }), formatTime(at)]);
}
