/** How numbers and days are written in the languages of the builds. */
import { afterEach, expect, test, vi } from 'vitest';

import { type Language } from '#contract/languages';
import { languageConstants } from '#scripts/languages/build-language.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The modules as the build of a language has them. */
async function modulesIn(language: Language) {
  for (const [name, value] of Object.entries(languageConstants(language, { isSite: true }))) {
    vi.stubEnv(name.replace('import.meta.env.', ''), JSON.parse(value));
  }
  vi.resetModules();
  const { formatCount } = await import('#lib/format');
  const { formatDay, formatTime } = await import('#lib/dates');
  return { formatCount, formatDay, formatTime };
}

test.each([
  ['en', '1,234,567'],
  ['de', '1.234.567'],
  ['ru', '1\u00A0234\u00A0567'],
  ['fr', '1\u202F234\u202F567'],
  ['ar', '1,234,567'],
] as const)('in %s thousands are written %s', async (language, expected) => {
  const { formatCount } = await modulesIn(language);

  expect(formatCount(1_234_567)).toBe(expected);
  expect(formatCount(999)).toBe('999');
});

const now = new Date(2026, 10, 23, 14, 5).getTime();
const style = { datesFrom: 7, style: 'medium' } as const;

test.each([
  ['en', 'Yesterday', '1 Jan 2026'],
  ['de', 'Gestern', '01.01.2026'],
  ['ru', 'Вчера', '1 янв. 2026 г.'],
  ['fa', 'دیروز', undefined],
] as const)('in %s yesterday is “%s”', async (language, yesterday, january) => {
  const { formatDay, formatTime } = await modulesIn(language);

  expect(formatDay(now - 86_400_000, style, now)).toBe(yesterday);
  const date = formatDay(new Date(2026, 0, 1).getTime(), style, now);
  expect(date).toBe(january ?? date);
  // The digits are Latin in every language.
  expect(date).toMatch(/\d/);
  expect(formatTime(now)).toMatch(/14:05/);
});
