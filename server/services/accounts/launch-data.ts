/**
 * Checks the launch data that Telegram signs when it opens the app, and reads the user from it. It is exchanged for a
 * session once, and what was signed before the user ended their other sessions is void.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';

import { type Language, languageFrom } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createLaunchRepository } from '#server/db/sessions';
import { AppError } from '#server/lib/errors';
import { type Caller } from '#server/lib/requester';

import { type AccountEvents } from './events.ts';

/** The user who opened the app, as Telegram says. */
export type LaunchUser = {
  readonly telegramId: number;
  readonly firstName: string | undefined;
  readonly username: string | undefined;
  readonly photoUrl: string | undefined;
  /** Null when it is none of ours. */
  readonly language: Language | null | undefined;
};

/** The age of a launch whose app is still open. */
const maxAgeMs = 60 * 60 * 1000;
const maxClockLeadMs = 5 * 60 * 1000;

export type Launch = {
  readonly user: LaunchUser;
  /** Epoch milliseconds, in whole seconds. */
  readonly signedAt: number;
  /** Only this is stored of launch data. */
  readonly hash: string;
  /** The request to join a group for which Telegram has opened the app. */
  readonly joinQuery: string | undefined;
};

export type Launches = ReturnType<typeof createLaunches>;

export function createLaunches(
  { env: { botToken }, database: { db }, clock }: Dependencies,
  { accountEvents }: { readonly accountEvents: AccountEvents },
) {
  const launches = createLaunchRepository(db);

  async function refuse({ user: { telegramId } }: Launch, caller: Caller): Promise<never> {
    await accountEvents.record({ kind: 'launch_refused', telegramId, caller });
    throw new AppError('invalid_launch_data');
  }

  /**
   * The launch that this data is signed for. Throws `invalid_launch_data`, always with the same sentence, when it is
   * not signed for this bot, is too old or void, and `not_found` without a bot.
   */
  async function check(initData: string, caller: Caller): Promise<Launch> {
    if (botToken === undefined) {
      throw new AppError('not_found');
    }
    const launch = readLaunchData(initData, botToken);
    const { user, signedAt } = launch;
    const voidUntil = await launches.findVoidUntil(user.telegramId);
    return isFresh(clock() - signedAt) && signedAt > voidUntil ? launch : refuse(launch, caller);
  }

  return {
    check,

    /**
     * Whose launch it is, and whether it is too old or void: for what is done without a session and needs the person
     * alone. Throws `invalid_launch_data` when it is not signed for this bot, and `not_found` without a bot.
     */
    async recognise(initData: string): Promise<Launch & { readonly isCurrent: boolean }> {
      if (botToken === undefined) {
        throw new AppError('not_found');
      }
      const launch = readLaunchData(initData, botToken);
      const voidUntil = await launches.findVoidUntil(launch.user.telegramId);
      const isCurrent = isFresh(clock() - launch.signedAt) && launch.signedAt > voidUntil;
      return { ...launch, isCurrent };
    },

    /** Takes a launch that was checked, for a session: throws `invalid_launch_data` when one was started by it. */
    async use(launch: Launch, caller: Caller): Promise<void> {
      if (!(await launches.use(launch.hash, launch.signedAt + maxAgeMs))) {
        await refuse(launch, caller);
      }
    },

    /** Whether launch data proves that the caller is this user. */
    async proves(
      telegramId: number,
      { initData, caller }: { readonly initData: string | undefined; readonly caller: Caller },
    ): Promise<boolean> {
      if (initData === undefined || botToken === undefined) {
        return false;
      }
      try {
        return (await check(initData, caller)).user.telegramId === telegramId;
      } catch (error) {
        if (error instanceof AppError && error.code === 'invalid_launch_data') {
          return false;
        }
        throw error;
      }
    },
  };
}

/**
 * Reads raw launch data, whatever its age. Throws `invalid_launch_data` when it is not signed for this bot or is
 * incomplete.
 */
export function readLaunchData(initData: string, botToken: string): Launch {
  const pairs = [...new URLSearchParams(initData)];
  const fields = new Map(pairs);
  const signed = { pairs, hash: fields.get('hash') ?? '' };

  // With a duplicate key, the first value could be checked and the second one used.
  if (fields.size !== pairs.length || !isSigned(signed, botToken)) {
    throw new AppError('invalid_launch_data');
  }
  const content = v.safeParse(launchData, Object.fromEntries(fields));
  if (!content.success) {
    throw new AppError('invalid_launch_data');
  }

  const { user, auth_date, chat_join_request_query_id: joinQuery } = content.output;
  const { id, first_name, username, photo_url, language_code: code } = user;
  return {
    user: {
      telegramId: id,
      firstName: first_name,
      username,
      photoUrl: photo_url,
      language: code === undefined ? undefined : (languageFrom(code) ?? null),
    },
    signedAt: auth_date * 1000,
    // In lower case, as another spelling is the same signature.
    hash: createHash('sha256').update(signed.hash.toLowerCase()).digest('hex'),
    joinQuery,
  };
}

const optionalText = v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined);

const launchData = v.object({
  auth_date: v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number)),
  chat_join_request_query_id: optionalText,
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

function isFresh(ageMs: number): boolean {
  return ageMs <= maxAgeMs && -ageMs <= maxClockLeadMs;
}
