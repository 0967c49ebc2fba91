/** How a generator is laid out: the form, its button, and the result beside or below them. */
import { type ReactNode, type Ref, type RefObject, useRef } from 'react';

import { useFloatingBar } from '#lib/floating-bar';
import { useMainButton } from '#lib/main-button';
import { Button } from '#ui/button';
import { Card } from '#ui/card';

import styles from './generator-layout.module.css';

type TwoColumnLayoutProps = {
  /** Scrolled to when a past picture is used again. */
  readonly formRef: Ref<HTMLDivElement>;
  readonly form: ReactNode;
  readonly children: ReactNode;
};

/** On narrow screens the children stand below the form. */
export function TwoColumnLayout({ formRef, form, children }: TwoColumnLayoutProps) {
  return (
    <div className={styles.columns}>
      <div ref={formRef} className={styles.column}>
        {form}
      </div>
      <div className={styles.column}>{children}</div>
    </div>
  );
}

type GenerateFormProps = {
  readonly label: string;
  readonly submitText: string;
  readonly busyText: string;
  /** Whether the form can be submitted. */
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onGenerate: () => void;
  /** Says what is missing, if anything is. Called instead of `onGenerate` by keys, for which no button is disabled. */
  readonly onIncomplete: () => void;
  /** The element that shows the result. */
  readonly result: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
};

/** A form whose button is Telegram's main button, or sticks to the bottom of the window. */
export function GenerateForm(props: GenerateFormProps) {
  const { label, submitText, busyText, isReady, isBusy, onGenerate, result, children } = props;
  const { onIncomplete } = props;
  const action = useRef<HTMLDivElement>(null);

  const generate = () => {
    if (isBusy) {
      return;
    }
    if (isReady) {
      onGenerate();
    } else {
      onIncomplete();
    }
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
    // Ctrl+Enter or Cmd+Enter generates from every field that does not handle it itself.
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
      {/* Has Enter submit the form, and say what is missing, while the visible button is disabled. */}
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
