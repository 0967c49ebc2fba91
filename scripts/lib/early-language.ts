/** The inline script that opens a page in the user's language, where no server has done so before. */
import { minifySync } from 'vite';

import { type Language, languagePrefix, sourceLanguage } from '#contract/languages';

/**
 * For the head of each page, before its styles, so that a page in another language is not painted. `languages` are
 * those of the build. `isServed`: a server of ours opens the website's pages in the right language, and only Telegram
 * is left, whose language only the page can read. Empty for a build in one language.
 */
export function languageScript(
  languages: readonly Language[],
  { isServed }: { readonly isServed: boolean },
): string {
  if (languages.length < 2) {
    return '';
  }
  const names = languages
    .filter((tag) => tag !== sourceLanguage)
    .map((tag) => languagePrefix(tag).slice(1));
  const parts = [findLanguage, readChoice, readWanted, toPath, toQuery, openInLanguage].join('\n');
  const source = `(function(){const isServed=${isServed};const names='${names.join(' ')}'.split(' ');${parts}openInLanguage()})()`;
  return minifySync('language.js', source, { mangle: { toplevel: true } }).code;
}

// These functions run in the page and use nothing from outside but the two constants that stand before them. `names`
// are the prefixes of the languages besides English.

declare const isServed: boolean;
declare const names: readonly string[];

/** Our language for a tag, as `languageFrom` finds it. */
function findLanguage(tag: string | null | undefined): string | undefined {
  const [base = '', ...rest] = (tag ?? '').toLowerCase().split(/[-_]/);
  return rest.includes('cyrl')
    ? undefined
    : ['en', ...names].find((name) => name.slice(0, 2) === base);
}

/** What the user chose: `given` in the address, or stored. */
function readChoice(given: string | undefined, isLaunch: boolean): string | undefined {
  const chosen = findLanguage(given);
  try {
    if (chosen && isLaunch) {
      localStorage.setItem('language', chosen);
    }
    return (
      chosen ??
      findLanguage(localStorage.getItem('language')) ??
      findLanguage(/\blanguage=([^;]+)/.exec(document.cookie)?.[1])
    );
  } catch {
    // Blocked storage holds no choice.
    return chosen;
  }
}

/** The language to open; undefined where the one of the address is right. */
function readWanted(given: string | undefined, own: string | undefined): string | undefined {
  let launch = location.hash;
  try {
    launch += sessionStorage.getItem('nori_launch');
  } catch {
    // Blocked storage holds no launch.
  }
  const isLaunch = /tgWebApp/.test(launch);
  const chosen = readChoice(given, isLaunch);
  if (isLaunch) {
    // Encoded once, twice or not at all.
    const code = /language_code("|%(?:25)*22)(?::|%(?:25)*3A)\1([\w-]+)/i.exec(launch)?.[2];
    return chosen ?? findLanguage(code);
  }
  if (isServed || own) {
    return undefined;
  }
  return given === undefined
    ? (chosen ?? navigator.languages.map((tag) => findLanguage(tag)).find(Boolean))
    : findLanguage(given);
}

/** With one slash at the front, as two would lead to another host. */
function toPath(language: string, rest: string): string {
  const path = rest.replace(/^\/*/, '/');
  return language === 'en' ? path : `/${language}${path === '/' ? '' : path}`;
}

/** The empty `lang` keeps a server from leading back from English. */
function toQuery(language: string, search: string, given: string | undefined): string {
  return language === 'en' && given === undefined ? `${search}${search ? '&' : '?'}lang=` : search;
}

/**
 * In Telegram a choice decides (`lang` in the bot's link, or stored), then Telegram's language, then the address; on the
 * website the address, then a choice, then the browser. It cannot go in circles: what decides is the same on the page
 * that it opens.
 */
function openInLanguage(): void {
  const { pathname, search, hash } = location;
  const given = /[?&]lang=([^&]*)/.exec(search)?.[1];
  const own = names.find((name) => `${pathname}/`.startsWith(`/${name}/`));
  const wanted = readWanted(given, own) ?? own ?? 'en';
  if (wanted !== (own ?? 'en')) {
    const rest = own ? pathname.slice(own.length + 1) : pathname;
    document.documentElement.hidden = true;
    location.replace(toPath(wanted, rest) + toQuery(wanted, search, given) + hash);
  } else if (given !== undefined) {
    const kept = search.replace(/[?&]lang=[^&]*/, '').replace(/^&/, '?');
    history.replaceState(history.state, '', pathname + kept + hash);
  }
}
