/** Checks the launch data that Telegram signs when it opens the app, and reads the user from it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';

import { type Language, languageFrom } from '#contract/languages';
import { AppError } from '#server/lib/errors';

/** The user who opened the app, as Telegram says. */
export type LaunchUser = {
  readonly telegramId: number;
  readonly firstName: string | undefined;
  readonly username: string | undefined;
  readonly photoUrl: string | undefined;
  /** Null when it is none of ours. */
  readonly language: Language | null | undefined;
};

/** Telegram's clients reuse the data of an earlier launch for hours, so an hour would be too strict. */
const dayMs = 24 * 60 * 60 * 1000;
/** For what needs the user's presence: the age of a launch whose app is still open. */
export const freshLaunchMs = 60 * 60 * 1000;
const maxClockLeadMs = 5 * 60 * 1000;

/**
 * Reads raw launch data. Throws `invalid_launch_data`, always with the same sentence, when it is not
 * signed for this bot, is older than `maxAgeMs` (a day when absent), or is incomplete.
 */
export function checkLaunchData(
  initData: string,
  {
    botToken,
    now,
    maxAgeMs = dayMs,
  }: { readonly botToken: string; readonly now: number; readonly maxAgeMs?: number },
): LaunchUser {
  const pairs = [...new URLSearchParams(initData)];
  const fields = new Map(pairs);
  const signed = { pairs, hash: fields.get('hash') ?? '' };

  // With a duplicate key, the first value could be checked and the second one used.
  if (fields.size !== pairs.length || !isSigned(signed, botToken)) {
    throw new AppError('invalid_launch_data');
  }
  const content = v.safeParse(launchData, Object.fromEntries(fields));
  if (!content.success || !isFresh(now - content.output.auth_date * 1000, maxAgeMs)) {
    throw new AppError('invalid_launch_data');
  }

  const { id, first_name, username, photo_url, language_code: code } = content.output.user;
  return {
    telegramId: id,
    firstName: first_name,
    username,
    photoUrl: photo_url,
    language: code === undefined ? undefined : (languageFrom(code) ?? null),
  };
}

const optionalText = v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined);

const launchData = v.object({
  auth_date: v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number)),
  user: v.pipe(
    v.string(),
    v.parseJson(),
    v.object({
      id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
      first_name: optionalText,
      username: optionalText,
      language_code: optionalText,
      photo_url: v.fallback(
        v.optional(v.pipe(v.string(), v.url(), v.startsWith('https://'))),
        undefined,
      ),
    }),
  ),
});

function isSigned(
  { pairs, hash }: { pairs: readonly (readonly [string, string])[]; hash: string },
  botToken: string,
): boolean {
  const text = pairs
    .filter(([name]) => name !== 'hash')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
  const secret = createHmac('sha256', 'WebAppData').update(botToken).digest();
  const expected = createHmac('sha256', secret).update(text).digest();
  const given = Buffer.from(/^[\da-f]{64}$/i.test(hash) ? hash : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isFresh(ageMs: number, maxAgeMs: number): boolean {
  return ageMs <= maxAgeMs && -ageMs <= maxClockLeadMs;
}
