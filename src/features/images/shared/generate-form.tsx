/** The frame of a form that makes pictures: its one action is always within reach. */
import { type ReactNode, type RefObject, useRef } from 'react';

import { useFloatingBar } from '#lib/floating-bar';
import { useMainButton } from '#lib/main-button';
import { Button } from '#ui/button';
import { Card } from '#ui/card';

import styles from './generate-form.module.css';

type GenerateFormProps = {
  readonly label: string;
  readonly submitText: string;
  readonly busyText: string;
  /** Whether everything is there that pictures need. */
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onGenerate: () => void;
  /** Where the answer appears. */
  readonly result: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
};

export function GenerateForm(props: GenerateFormProps) {
  const { label, submitText, busyText, isReady, isBusy, onGenerate, result, children } = props;
  const action = useRef<HTMLDivElement>(null);

  const generate = () => {
    onGenerate();
    // On a phone the result is far below.
    result.current?.scrollIntoView({ block: 'nearest' });
  };

  const hasMainButton = useMainButton({
    text: isBusy ? busyText : submitText,
    isEnabled: isReady && !isBusy,
    isBusy,
    press: generate,
  });
  useFloatingBar(action, !hasMainButton);

  return (
    // What a field does not use of the keys is the form's: Ctrl+Enter, or Cmd+Enter, generates.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={styles.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        generate();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          generate();
        }
      }}
    >
      {/* First in the form, so that Enter works, and says what is missing, while the button is disabled. */}
      <button type="submit" hidden>
        {submitText}
      </button>
      <Card>{children}</Card>
      {!hasMainButton && (
        <div ref={action} className={styles.action}>
          <Button kind="primary" isWide disabled={!isReady} isBusy={isBusy} onClick={generate}>
            {isBusy ? busyText : submitText}
          </Button>
        </div>
      )}
    </form>
  );
}
