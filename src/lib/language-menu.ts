/** The menu of the site's languages. What a choice does is loaded with it. */
import { useEffect } from 'react';

import { language } from './language.ts';
import { tabMarks } from './storage.ts';

const names = import.meta.env.NORI_LANGUAGE_NAMES.split(',');

/** By their tags, each in its own words. */
export const languageMenu = {
  value: language,
  offered: import.meta.env.NORI_LANGUAGES.split(',').map((tag, index) => ({
    tag,
    name: names[index] ?? tag,
  })),
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
