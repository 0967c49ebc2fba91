/** Step 3: the code that the chat's owner got proves that they agree. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { ApiError, errorText } from '#lib/api';
import { remainingWaitS, resendAfterS, useCountdown } from '#lib/next-code';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';
import { ResendButton } from '#ui/resend-button';

import { BackToList } from './back-to-list.tsx';
import { CodeForm } from './code-form.tsx';
import { LinkedText } from './linked-text.tsx';
import { chatQueries, requestCode } from './queries.ts';
import { StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';
import { useAction } from './use-action.ts';

import styles from './chats.module.css';

const texts = chatTexts.verify;

/** What the history remembers: that a code was sent, what the server said about it, and when (ms since 1970). */
const memory = v.object({ sent: v.string(), sentAt: v.number() });

type VerifyStepProps = { readonly chatId: string; readonly hasMoved: boolean };

export function VerifyStep({ chatId, hasMoved }: VerifyStepProps) {
  const client = useQueryClient();
  const [hasCode, setHasCode] = useState(false);
  const { isOut, said, forget, waitS, isSending, send } = useSendingCode(chatId, hasCode);

  const known = client.getQueryData(chatQueries.list().queryKey);
  const chat = [...(known?.chats ?? []), ...(known?.unverified ?? [])].find(
    ({ chat_id }) => chat_id === chatId,
  );

  return (
    <>
      <BackToList />
      <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
      <div className={styles.columns}>
        <Card>
          <p className={styles.subject} dir="auto">
            {chatTexts.chatTitle(chat ?? { chat_id: chatId, chat_name: '' })}
          </p>
          {!isOut && <p>{texts.offer}</p>}
          {said && (
            <Notice tone={said.tone}>
              <LinkedText text={said.text} />
            </Notice>
          )}
          {isOut ? (
            <CodeForm chatId={chatId} onTyping={forget}>
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

/** Having a code sent to the owner, the first one and further ones; `hasCode`: there is one already. */
function useSendingCode(chatId: string, hasCode: boolean) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const [note, setNote] = useState<{ tone: 'success' | 'error'; text: string }>();
  const parsed = v.safeParse(memory, state);
  const remembered = parsed.success ? parsed.output : undefined;
  const isOut = remembered !== undefined || hasCode;
  const [waitS, setWaitS] = useCountdown(
    remembered ? remainingWaitS({ sentAt: remembered.sentAt, waitS: resendAfterS }) : 0,
  );

  const { isBusy, run } = useAction(async (signal) => {
    setNote(undefined);
    try {
      const sent = await requestCode(chatId, signal);
      setWaitS(resendAfterS);
      if (isOut) {
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

  const said =
    note ??
    (remembered && remembered.sent !== ''
      ? ({ tone: 'success', text: remembered.sent } as const)
      : undefined);
  return {
    /** Whether there is a code to enter. */
    isOut,
    /** What to say about the last sending. */
    said,
    forget: () => setNote(undefined),
    /** Seconds until another code may be asked for. */
    waitS,
    isSending: isBusy,
    send: run,
  };
}
