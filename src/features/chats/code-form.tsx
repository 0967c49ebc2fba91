/** The six boxes for the owner's code, and what entering them does. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { errorText } from '#lib/api';
import { holdClosing } from '#lib/closing';
import { useMainButton } from '#lib/main-button';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { SubmitButton } from '#ui/button';
import { Notice } from '#ui/notice';
import { emptyOtp, OtpInput, type OtpInputHandle } from '#ui/otp-input';
import { Spinner } from '#ui/spinner';

import { LinkedText } from './linked-text.tsx';
import { proveOwnership } from './queries.ts';
import { chatTexts } from './texts.ts';
import { useAction } from './use-action.ts';
import { useOnArrival } from './use-on-arrival.ts';

import styles from './chats.module.css';

const texts = chatTexts.verify;

type CodeFormProps = {
  readonly chatId: string;
  readonly onTyping: () => void;
  /** Further actions, below the form's own. */
  readonly children: ReactNode;
};

export function CodeForm({ chatId, onTyping, children }: CodeFormProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const boxes = useRef<OtpInputHandle>(null);
  const errorId = useId();
  const [digits, setDigits] = useState(emptyOtp);
  const [error, setError] = useState<string>();

  // The owner's code would be lost with the page.
  useEffect(holdClosing, []);

  useOnArrival(() => boxes.current?.focus(0));

  function refuse(message: string, position: number): void {
    setError(message);
    getPlatform().haptic('error');
    boxes.current?.focus(position);
  }

  const { isBusy, run } = useAction(async (signal) => {
    const code = digits.join('');
    if (digits.includes('')) {
      refuse(texts.incomplete, digits.indexOf(''));
      return;
    }
    setError(undefined);
    try {
      const present = await proveOwnership(client, { chatId, code }, signal);
      if (!signal.aborted) {
        getPlatform().haptic('success');
        void navigate(dashboardPaths.chat(present), { replace: true });
      }
    } catch (failure) {
      if (!signal.aborted) {
        setDigits(emptyOtp);
        refuse(errorText(failure, texts.failed), 0);
      }
    }
  });
  const hasMainButton = useMainButton({
    text: chatTexts.proceed,
    isEnabled: true,
    isBusy,
    press: run,
  });

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    run();
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p>{texts.instruction}</p>
      <OtpInput
        ref={boxes}
        label={texts.label}
        boxLabel={texts.digit}
        value={digits}
        isInvalid={error !== undefined}
        describedBy={error === undefined ? undefined : errorId}
        onChange={(value) => {
          setDigits(value);
          setError(undefined);
          onTyping();
        }}
      />
      {error !== undefined && (
        <Notice tone="error" id={errorId}>
          <LinkedText text={error} />
        </Notice>
      )}
      {isBusy && <Spinner label={texts.busy} />}
      <SubmitButton text={chatTexts.proceed} isBusy={isBusy} isElsewhere={hasMainButton} />
      {children}
    </form>
  );
}
