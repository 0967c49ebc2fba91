/** A search box that filters while the user types. */
import { Search, X } from 'lucide-react';
import { useId, useRef } from 'react';

import styles from './search-field.module.css';

type SearchFieldProps = {
  /** The placeholder and accessible name. */
  readonly label: string;
  readonly clearLabel: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

export function SearchField({ label, clearLabel, value, onChange }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);

  function clear() {
    onChange('');
    input.current?.focus();
  }

  return (
    <search className={styles.field}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <span aria-hidden className={styles.hint}>
        <Search size={18} />
        <span className={styles.text}>{label}</span>
      </span>
      <input
        ref={input}
        id={id}
        type="search"
        className={styles.input}
        placeholder={label}
        value={value}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
      />
      {value !== '' && (
        <button type="button" className={styles.clear} aria-label={clearLabel} onClick={clear}>
          <X aria-hidden size={18} />
        </button>
      )}
    </search>
  );
}
