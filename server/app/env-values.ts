/** What values in the environment look like, with a clear line for each mistake. */
import * as v from 'valibot';

/** An address with one of these protocols, without a slash at its end. */
export const url = (protocols: readonly string[], example: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
        `must be an address such as ${example}`,
      ),
      v.transform((text) => text.replace(/\/+$/, '')),
    ),
  );

/** A whole number from 0 to `max`. */
export const wholeNumber = (fallback: string, max: number, hint: string) =>
  v.pipe(
    v.optional(v.string(), fallback),
    v.check((text) => /^\d{1,9}$/.test(text) && Number(text) <= max, hint),
    v.transform(Number),
  );

export const positiveNumber = (fallback: string) =>
  v.pipe(
    v.optional(v.string(), fallback),
    v.check(
      (text) => Number(text) > 0 && Number.isFinite(Number(text)),
      'must be a number above 0',
    ),
    v.transform(Number),
  );

/** A whole number that need not be there. */
export const numberOrNone = (hint: string) =>
  v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/, hint), v.transform(Number)));

/** One of a few words. */
export const oneOf = <const Options extends readonly [string, ...string[]]>(
  options: Options,
  fallback: Options[number],
) => v.optional(v.picklist(options, `must be one of ${options.join(', ')}`), fallback);

/** A key that travels in a header, where nothing but visible ASCII can. */
export const headerText = v.optional(
  v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'must be one word without spaces')),
);

/** Where films are, with `{id}` for the ID, which must not choose the server. */
export const filmAddress = v.optional(
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
