/** In which language a page is served: pages of English have the plain addresses, those of others a prefix. */
import { getCookie } from 'hono/cookie';

import {
  acceptedLanguage,
  type Language,
  languageFrom,
  languagePath,
  languagePrefix,
  languageTags,
  sourceLanguage,
} from '#contract/languages';

import { type AppContext } from './app-env.ts';

/** The languages in which a built site has pages. */
export function languagesOnSite(files: { has(name: string): boolean }): readonly Language[] {
  return languageTags.filter((tag) => files.has(`${languagePrefix(tag)}/index.html`.slice(1)));
}

type PrefixedPath = {
  /** Undefined without a prefix. */
  readonly language: Language | undefined;
  /** As it stands in the path: "/ru"; empty without one. */
  readonly prefix: string;
  /** The rest: "/login". */
  readonly path: string;
};

/** Cuts the prefix of a language off a path: "/ru/login". Also "/RU" and "/en", which are no addresses of ours. */
export function splitPrefix(pathname: string): PrefixedPath {
  const [prefix = '', name = ''] = /^\/([a-z-]{2,5})(?=\/|$)/i.exec(pathname) ?? [];
  const language = languageTags.find((tag) => tag.toLowerCase() === name.toLowerCase());
  return language === undefined
    ? { language, prefix: '', path: pathname }
    : { language, prefix, path: pathname.slice(prefix.length) || '/' };
}

/** The cookie with the language that the user chose; its value is the language's tag. */
const choiceCookie = 'language';

/**
 * The path where a page is to be read instead; undefined when it is right here. The prefix of an address decides.
 * Without one the choice does, then `Accept-Language`, then it is English. The query `lang` stands for a choice; an
 * empty one keeps a page in English, as for users of an English Telegram in a browser that prefers another language.
 */
export function languageRedirect(
  c: AppContext,
  languages: readonly Language[],
): string | undefined {
  const { pathname, searchParams } = new URL(c.req.url);
  const { language, prefix, path } = splitPrefix(pathname);
  const find = (tag: string | null | undefined) => {
    const known = languageFrom(tag ?? undefined);
    return known !== undefined && languages.includes(known) ? known : undefined;
  };
  const wanted =
    language === undefined
      ? searchParams.has('lang')
        ? find(searchParams.get('lang'))
        : (find(getCookie(c, choiceCookie)) ??
          acceptedLanguage(c.req.header('Accept-Language'), languages))
      : find(language);
  const right = wanted ?? sourceLanguage;
  return languagePrefix(right) === prefix ? undefined : languagePath(right, path);
}
