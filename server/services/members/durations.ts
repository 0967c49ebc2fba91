/** Durations as administrators type them, such as 1d12h. */
import { durationLimits } from '#contract/chats/values';
import { type Say } from '#server/lib/languages';
import { durationTexts } from '#server/lib/limit-texts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: minute,
  h: hour,
  d: day,
  w: 7 * day,
};

/** Seconds of `30m`, `2h`, `3d`, `1w` or `1d12h`, without limits; undefined for other words. */
export function parseDuration(word: string): number | undefined {
  if (!/^(?:\d{1,9}[smhdw])+$/i.test(word)) {
    return undefined;
  }
  return [...word.toLowerCase().matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0),
    0,
  );
}

/** Telegram takes other durations for "for ever". */
export function isPossibleDuration(seconds: number): boolean {
  return seconds >= durationLimits.min && seconds <= durationLimits.max;
}

/** In words and to the second: 90 minutes, 2 days, 1 hour. */
export function sayExactly(seconds: number, say: Say): string {
  const texts = say(durationTexts);
  if (seconds % day === 0) {
    return texts.days(seconds / day);
  }
  if (seconds % hour === 0) {
    return texts.hours(seconds / hour);
  }
  return seconds % minute === 0 ? texts.minutes(seconds / minute) : texts.seconds(seconds);
}
