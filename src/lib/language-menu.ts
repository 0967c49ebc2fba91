/** The menu of the site's languages. What a choice does is loaded with it. */
import { useEffect } from 'react';

import { automaticTexts } from './language-texts.ts';
import { automatic, chosenLanguage, language } from './language.ts';
import { getPlatform } from './platform.ts';
import { tabMarks } from './storage.ts';

const names = import.meta.env.NORI_LANGUAGE_NAMES.split(',');

const inOwnWords = import.meta.env.NORI_LANGUAGES.split(',').map((tag, index) => ({
  tag,
  name: names[index] ?? tag,
}));

/** The languages of the site, each in its own words. */
export const siteLanguages: readonly Offered[] = inOwnWords;

type Offered = { readonly tag: string; readonly name: string };

export const languageMenu = {
  value: language,
  /** By their tags, each in its own words; after a choice also the way back to none. */
  get offered(): readonly Offered[] {
    if (inOwnWords.length < 2 || chosenLanguage.read() === undefined) {
      return inOwnWords;
    }
    const { container } = getPlatform();
    const name = container === 'web' ? automaticTexts.browser : automaticTexts.telegram;
    return [...inOwnWords, { tag: automatic, name }];
  },
  onChange: (tag: string): void => {
    // Without it there is no page in the other language, either.
    import('./language-choice.ts').then(
      ({ chooseLanguage }) => chooseLanguage(tag),
      () => undefined,
    );
  },
};

/** Goes on where the page in another language was left. Belongs to a part that every page shows. */
export function useContinuedPlace(onContinued?: () => void): void {
  useEffect(() => {
    if (tabMarks.read('place') !== undefined || tabMarks.read('language_unsent') !== undefined) {
      import('./language-choice.ts').then(
        ({ continuePlace }) => continuePlace(onContinued),
        () => undefined,
      );
    }
    // Only what was left before this page counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}
