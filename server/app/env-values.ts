/** The schemas of what environment variables may hold. */
import * as v from 'valibot';

import { isLanguage, languageTags } from '#contract/languages';
import { readTrustedProxies } from '#server/lib/addresses';

import { minKeyLength } from './secret-key.ts';

/** An address with one of these protocols, without a slash at its end. */
export const address = (protocols: readonly string[], example: string) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be an address such as ${example}`,
    ),
    v.transform((text) => text.replace(/\/+$/, '')),
  );

export const webAddress = (example: string) => address(['https:', 'http:'], example);

/** A whole number from 0 to `max`. */
export const wholeNumber = (fallback: string, max: number, hint: string) =>
  v.pipe(
    v.optional(v.string(), fallback),
    v.check((text) => /^\d{1,9}$/.test(text) && Number(text) <= max, hint),
    v.transform(Number),
  );

/** Megabytes, parsed to bytes. */
export const megabytes = (fallback: string) =>
  v.pipe(
    wholeNumber(fallback, 999_999_999, 'must be a whole number of megabytes'),
    v.transform((count) => count * 1_000_000),
  );

export const positiveNumber = v.pipe(
  v.optional(v.string(), '1'),
  v.check((text) => Number(text) > 0 && Number.isFinite(Number(text)), 'must be a number above 0'),
  v.transform(Number),
);

export const choice = <const Options extends readonly [string, ...string[]]>(
  options: Options,
  fallback: Options[number],
) => v.optional(v.picklist(options, `must be one of ${options.join(', ')}`), fallback);

/** A key that is sent in a header, where only visible ASCII is allowed. */
export const headerText = v.optional(
  v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'must be one word without spaces')),
);

/** The address of videos, with `{id}` for the ID, which must not change the server. */
export const videoAddress = v.optional(
  v.pipe(
    v.string(),
    v.check((text) => {
      const [one, other] = ['1', '2'].map((id) => URL.parse(text.replaceAll('{id}', id)));
      return (
        /^https?:\/\//.test(text) &&
        one !== null &&
        one?.href !== other?.href &&
        one?.origin === other?.origin &&
        one?.username === '' &&
        one.password === ''
      );
    }, 'must be an address such as https://media.example.org/{id}.mp4'),
  ),
);

/** Where a service with several hosts is, with `{host}` for the host: in its name or in its path. */
export const hostAddress = v.pipe(
  v.optional(v.string(), 'https://{host}'),
  v.check(
    (text) =>
      /^https?:\/\//.test(text) &&
      text.includes('{host}') &&
      URL.canParse(text.replaceAll('{host}', 'a.example')),
    'must be an address such as https://{host}',
  ),
  v.transform((text) => text.replace(/\/+$/, '')),
);

/** A stand-in for tests of the pages, which the build knows. The server says English for it. */
const pseudoLanguage = 'en-XA';

/** Tags of our languages with commas between; undefined when not set. */
export const languageList = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((tag) => tag.trim())),
    v.transform((tags) => tags.filter((tag) => tag !== '' && tag !== pseudoLanguage)),
    v.check((tags) => tags.every(isLanguage), `must be some of ${languageTags.join(',')}`),
    v.transform((tags) => tags.filter(isLanguage)),
  ),
);

/** Origins with commas between. */
export const origins = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split(',').map((origin) => origin.trim())),
  v.transform((all) => all.filter((origin) => origin !== '')),
  v.check(
    (all) => all.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    'must be origins such as https://app.example.org, with commas between',
  ),
);

/** Which proxies tell the address of a caller: their number on this machine, or their addresses. */
export const trustedProxies = v.pipe(
  v.optional(v.string(), '0'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const proxies = readTrustedProxies(dataset.value);
    if (proxies === undefined) {
      addIssue({
        message:
          'must be a whole number from 0 to 10, or addresses such as 10.0.0.7,10.1.0.0/16,fd00::/8',
      });
      return NEVER;
    }
    return proxies;
  }),
);

/** Where people tell the operator of a weakness. */
export const contact = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (text) => URL.canParse(text) && /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text),
      'must be an address such as mailto:security@example.org or https://example.org/security',
    ),
  ),
);

export const allRoles = ['web', 'bot', 'worker'] as const;

/**
 * What a process does. `web` answers pages and calls, and receives updates by webhook; `bot` handles updates and what
 * the bot does later; `worker` makes pictures and exports, and removes old data.
 */
export type Role = (typeof allRoles)[number];

const isRole = (text: string): text is Role => allRoles.some((role) => role === text);

export const roles = v.pipe(
  v.optional(v.string(), 'all'),
  v.transform((text) => text.split(',').map((name) => name.trim())),
  v.check(
    (names) => names.every((name) => isRole(name) || name === 'all'),
    `must be all, or some of ${allRoles.join(', ')} with commas between`,
  ),
  v.transform(
    (names): ReadonlySet<Role> => new Set(names.includes('all') ? allRoles : names.filter(isRole)),
  ),
);

/** Keys with commas or line breaks between, none of them too short to be safe. */
export const keyList = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) =>
    text
      .split(/[,\n]/)
      .map((key) => key.trim())
      .filter((key) => key !== ''),
  ),
  v.check(
    (keys) => keys.every((key) => key.length >= minKeyLength),
    `each must have at least ${minKeyLength} characters`,
  ),
);

/** A variable: the sentence of the README and of `.env.example`, and the schema of its value. */
export const variable = <Schema extends v.GenericSchema>(about: string, schema: Schema) =>
  v.pipe(schema, v.description(about));

/** A variable that can be given in a file instead, which is named by the variable with `_FILE` at its end. */
export const secret = <Schema extends v.GenericSchema>(about: string, schema: Schema) =>
  v.pipe(schema, v.description(about), v.metadata({ isSecret: true }));
