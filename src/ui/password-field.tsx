/** A password input that can show the password. */
import { Eye, EyeOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { IconButton } from './button.tsx';
import { Field, type FieldProps } from './field.tsx';

type PasswordFieldProps = Omit<FieldProps, 'type' | 'inside' | 'ref'> & {
  /** The accessible name of the toggle, such as "Show password". */
  readonly toggleLabel: string;
};

export function PasswordField({ toggleLabel, ...field }: PasswordFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isShown, setIsShown] = useState(false);

  function toggle(): void {
    const caret = [input.current?.selectionStart, input.current?.selectionEnd] as const;
    // Some browsers move the caret when the type changes.
    flushSync(() => setIsShown(!isShown));
    input.current?.setSelectionRange(caret[0] ?? null, caret[1] ?? null);
  }

  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...field}
      ref={input}
      type={isShown ? 'text' : 'password'}
      inside={
        <IconButton
          label={toggleLabel}
          icon={<Icon aria-hidden="true" size={20} />}
          aria-pressed={isShown}
          // Keeps the focus in the field, and the keyboard of a phone open.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
        />
      }
    />
  );
}
