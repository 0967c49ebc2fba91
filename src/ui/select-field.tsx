/** A native select menu with its label. */
import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

import styles from './select-field.module.css';

type SelectFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The `<option>`s. */
  readonly children: ReactNode;
  /** The label is before the menu instead of above it. */
  readonly isInline?: boolean;
  readonly isRequired?: boolean;
};

export function SelectField({
  label,
  value,
  onChange,
  children,
  isInline = false,
  isRequired = false,
}: SelectFieldProps) {
  const id = useId();
  return (
    <div className={isInline ? styles.inline : styles.field}>
      <label htmlFor={id}>{label}</label>
      <SelectMenu
        id={id}
        value={value}
        required={isRequired}
        onChange={({ target }) => onChange(target.value)}
      >
        {children}
      </SelectMenu>
    </div>
  );
}

/** The menu without a label. */
export function SelectMenu(props: ComponentProps<'select'>) {
  return (
    <span className={styles.menu}>
      <select {...props} />
      <ChevronDown aria-hidden size={18} />
    </span>
  );
}
