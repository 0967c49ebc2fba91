/** A menu of languages, each in its own words. */
import { type Ref } from 'react';

type LanguageSelectProps = {
  readonly label: string;
  /** A language tag. */
  readonly value: string;
  readonly offered: readonly { readonly tag: string; readonly name: string }[];
  readonly onChange: (tag: string) => void;
  readonly ref?: Ref<HTMLSelectElement>;
};

export function LanguageSelect({ label, offered, onChange, ...select }: LanguageSelectProps) {
  return (
    <select
      {...select}
      aria-label={label}
      data-language=""
      // A browser that goes back must not fill in the language that was chosen here.
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
    >
      {offered.map(({ tag, name }) => (
        <option key={tag} value={tag} lang={tag} dir="auto">
          {name}
        </option>
      ))}
    </select>
  );
}
