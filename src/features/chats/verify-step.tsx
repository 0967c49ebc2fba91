/** Step 3: verifies a chat by the code that its owner got. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { ApiError, errorText } from '#lib/api';
import { holdClosing } from '#lib/closing';
import { useMainButton } from '#lib/main-button';
import { remainingWaitS, resendAfterS, useCountdown } from '#lib/next-code';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { Button, SubmitButton } from '#ui/button';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';
import { emptyOtp, OtpInput, type OtpInputHandle } from '#ui/otp-input';
import { ResendButton } from '#ui/resend-button';
import { Spinner } from '#ui/spinner';

import { LinkedText } from './linked-text.tsx';
import { chatQueries, requestCode, verifyWithCode } from './queries.ts';
import { BackButton, StepHeading, useOnArrival } from './step-heading.tsx';
import { chatTexts } from './texts.ts';
import { useAction } from './use-action.ts';

import styles from './chats.module.css';

const texts = chatTexts.verify;

/** State of the history entry after a code was sent: the server's message, and when (epoch milliseconds). */
const sentState = v.object({ sent: v.string(), sentAt: v.number() });
/** State of the history entry of a chat that could not be read: the server's reason, maybe empty. */
const refusedState = v.object({ refusal: v.string() });

type VerifyStepProps = { readonly chatId: string; readonly hasMoved: boolean };

export function VerifyStep({ chatId, hasMoved }: VerifyStepProps) {
  const client = useQueryClient();
  const [hasCode, setHasCode] = useState(false);
  const { isSent, message, clearMessage, waitS, isSending, send } = useSendingCode(chatId, hasCode);
  const refused = v.safeParse(refusedState, useLocation().state);
  const refusal = refused.success ? refused.output.refusal : '';

  const known = client.getQueryData(chatQueries.list().queryKey);
  const chat = [...(known?.chats ?? []), ...(known?.unverified ?? [])].find(
    ({ chat_id }) => chat_id === chatId,
  );

  return (
    <>
      <BackButton />
      <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
      <div className={styles.columns}>
        <Card>
          <p className={styles.subject} dir="auto">
            {chatTexts.chatTitle(chat ?? { chat_id: chatId, chat_name: '' })}
          </p>
          {!isSent && (
            <>
              <p>
                <LinkedText text={refusal || texts.notManaged} />
              </p>
              <p>{texts.offer}</p>
            </>
          )}
          {message && (
            <Notice tone={message.tone}>
              <LinkedText text={message.text} />
            </Notice>
          )}
          {isSent ? (
            <CodeForm chatId={chatId} onTyping={clearMessage}>
              <ResendButton
                text={texts.sendAgain}
                waitText={waitS > 0 ? texts.sendAgainIn(waitS) : undefined}
                isBusy={isSending}
                onPress={send}
              />
            </CodeForm>
          ) : (
            <div className={styles.actions}>
              <Button kind="quiet" onClick={() => setHasCode(true)}>
                {texts.haveCode}
              </Button>
              <Button kind="primary" isBusy={isSending} onClick={send}>
                {texts.send}
              </Button>
            </div>
          )}
        </Card>
        <Card title={texts.help}>
          <ul className={styles.hints}>
            <li>{texts.whereItIs}</li>
            <li>{texts.ownerStarted}</li>
            <li>{texts.onlyThis}</li>
          </ul>
        </Card>
      </div>
    </>
  );
}

/** Sends the first code and further ones to the owner. `hasCode`: the user has one already. */
function useSendingCode(chatId: string, hasCode: boolean) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const [note, setNote] = useState<{ tone: 'success' | 'error'; text: string }>();
  const parsed = v.safeParse(sentState, state);
  const remembered = parsed.success ? parsed.output : undefined;
  const isSent = remembered !== undefined || hasCode;
  const [waitS, setWaitS] = useCountdown(
    remembered ? remainingWaitS({ sentAt: remembered.sentAt, waitS: resendAfterS }) : 0,
  );

  const { isBusy, run } = useAction(async (signal) => {
    setNote(undefined);
    try {
      const sent = await requestCode(chatId, signal);
      setWaitS(resendAfterS);
      if (isSent) {
        setNote({ tone: 'success', text: texts.sentAgain(sent) });
      }
      void navigate(dashboardPaths.verify(chatId), {
        replace: true,
        state: { sent, sentAt: Date.now() },
      });
    } catch (error) {
      if (!signal.aborted) {
        setNote({ tone: 'error', text: errorText(error, chatTexts.add.failed) });
        getPlatform().haptic('error');
        if (error instanceof ApiError && error.retryAfterS !== undefined) {
          setWaitS(error.retryAfterS);
        }
      }
    }
  });

  const message =
    note ??
    (remembered && remembered.sent !== ''
      ? ({ tone: 'success', text: remembered.sent } as const)
      : undefined);
  return {
    isSent,
    /** The outcome of the last sending. */
    message,
    clearMessage: () => setNote(undefined),
    /** Seconds until another code can be requested. */
    waitS,
    isSending: isBusy,
    send: run,
  };
}

type CodeFormProps = {
  readonly chatId: string;
  readonly onTyping: () => void;
  /** More actions, below those of the form. */
  readonly children: ReactNode;
};

function CodeForm({ chatId, onTyping, children }: CodeFormProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const boxes = useRef<OtpInputHandle>(null);
  const errorId = useId();
  const [digits, setDigits] = useState(emptyOtp);
  const [error, setError] = useState<string>();

  // A closed page would lose the typed code.
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
      const currentId = await verifyWithCode(client, { chatId, code }, signal);
      if (!signal.aborted) {
        getPlatform().haptic('success');
        void navigate(dashboardPaths.chat(currentId), { replace: true });
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
