/** Which languages are built, and what the scripts know of theirs. */
import fs from 'node:fs';
import path from 'node:path';

import {
  isLanguage,
  type Language,
  languagePrefix,
  languages,
  languageTags,
  sourceLanguage,
} from '#contract/languages';

import { root } from '../run.mjs';
import { Stop } from '../say.mjs';

/**
 * English with accents, in brackets and longer, for tests: what it leaves in plain English is no text
 * of a text module. It is built in the place of English.
 */
const pseudoLanguage = 'en-XA';

/**
 * The longest translation of each text, with accents on its Latin letters, for tests: what is cut there is cut in one
 * of the languages.
 */
export const longestLanguage = 'en-XL';

/** A language that is no translation, and is built in the place of English. */
type PseudoLanguage = typeof pseudoLanguage | typeof longestLanguage;

export type BuildLanguage = Language | PseudoLanguage;

export function isPseudoLanguage(tag: string): tag is PseudoLanguage {
  return tag === pseudoLanguage || tag === longestLanguage;
}

/** Where the translations are. */
export const localesFolder = path.join(root, 'locales');

/** English, and the languages that have translations. */
export function shippedLanguages(): Language[] {
  return languageTags.filter(
    (tag) => tag === sourceLanguage || fs.existsSync(path.join(localesFolder, tag)),
  );
}

/**
 * The languages to build: those that `NORI_LANGUAGES` names, with commas between, else all shipped ones.
 * English comes first, as addresses without a language are English. Throws a `Stop` for a language that
 * we lack.
 */
export function languagesToBuild(
  named: string | undefined,
): [first: BuildLanguage, ...others: Language[]] {
  const tags = (named ?? '').split(',').map((tag) => tag.trim());
  const wanted = tags.filter(Boolean);
  const shipped = shippedLanguages();
  const source = wanted.find(isPseudoLanguage) ?? sourceLanguage;
  const others = wanted
    .filter((tag) => tag !== source && tag !== sourceLanguage)
    .map((tag) => {
      const known = shipped.find((language) => language === tag);
      if (known === undefined) {
        throw new Stop(
          `NORI_LANGUAGES names “${tag}”, which is not among the languages: ${shipped.join(', ')}.`,
        );
      }
      return known;
    });
  return [source, ...new Set(wanted.length === 0 ? shipped.slice(1) : others)];
}

/** The languages in which the site has pages, English first. Its prefix is that of the pseudo-language, too. */
export function siteLanguages(): Language[] {
  const [, ...others] = languagesToBuild(process.env['NORI_LANGUAGES']);
  return [sourceLanguage, ...others];
}

/** The language of `NORI_LANGUAGE`, by which the commands tell Vite what to build. English when it is unset. */
export function languageOfBuild(tag = process.env['NORI_LANGUAGE'] ?? ''): BuildLanguage {
  if (tag !== '' && !isPseudoLanguage(tag) && !isLanguage(tag)) {
    throw new Stop(`“${tag}” is not among the languages: ${languageTags.join(', ')}.`);
  }
  return tag === '' ? sourceLanguage : tag;
}

/**
 * The constants that the bundler puts into the scripts (`src/lib/language.ts`). Without `isSite`, as in `npm run dev`,
 * there is only this language, at the plain addresses.
 */
export function languageConstants(
  tag: BuildLanguage,
  { isSite }: { readonly isSite: boolean },
): Record<string, string> {
  const language = isPseudoLanguage(tag) ? sourceLanguage : tag;
  const offered = isSite ? siteLanguages() : [language];
  const { locale, thousands } = languages[language];
  return {
    'import.meta.env.NORI_LANGUAGE': JSON.stringify(language),
    'import.meta.env.NORI_PREFIX': JSON.stringify(isSite ? languagePrefix(language) : ''),
    'import.meta.env.NORI_LANGUAGES': JSON.stringify(offered.join(',')),
    'import.meta.env.NORI_LANGUAGE_NAMES': JSON.stringify(
      offered.map((other) => languages[other].name).join(','),
    ),
    'import.meta.env.NORI_LOCALE': JSON.stringify(language === sourceLanguage ? 'en-GB' : locale),
    'import.meta.env.NORI_THOUSANDS': JSON.stringify(thousands),
  };
}

/** For the `dir` attribute of its pages. */
export function textDirection(tag: BuildLanguage): 'ltr' | 'rtl' {
  return isPseudoLanguage(tag) ? 'ltr' : languages[tag].direction;
}
