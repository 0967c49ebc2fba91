/** The language in the website's footer. The prerendered page shows only its own. */
import { useRef } from 'react';

import { useIsHydrated } from '#lib/hydrated';
import { languageMenu, useContinuedPlace } from '#lib/language-menu';
import { LanguageSelect } from '#ui/language-select';

import { laterTexts } from './later-texts.ts';

export function FooterLanguage() {
  const select = useRef<HTMLSelectElement>(null);
  const isHydrated = useIsHydrated();
  useContinuedPlace(() => select.current?.focus({ preventScroll: true }));
  const { value, offered, onChange } = languageMenu;
  return (
    <LanguageSelect
      ref={select}
      label={laterTexts.language}
      value={value}
      offered={isHydrated ? offered : offered.filter(({ tag }) => tag === value)}
      onChange={onChange}
    />
  );
}
