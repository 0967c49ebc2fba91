/** Step 3: the code that the chat's owner got proves that they agree. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { reasonOf } from '#lib/api';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';

import { BackToList } from './back-to-list.tsx';
import { CodeForm } from './code-form.tsx';
import { LinkedText } from './linked-text.tsx';
import { chatQueries, requestCode } from './queries.ts';
import { StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';
import { useAction } from './use-action.ts';

import styles from './chats.module.css';

const texts = chatTexts.verify;

/** What the history remembers: that a code was sent, and what the server said about it. */
const memory = v.object({ sent: v.string() });

type VerifyStepProps = { readonly chatId: string; readonly hasMoved: boolean };

export function VerifyStep({ chatId, hasMoved }: VerifyStepProps) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [hasCode, setHasCode] = useState(false);
  const [note, setNote] = useState<{ tone: 'success' | 'error'; text: string }>();
  const remembered = v.safeParse(memory, state);
  const isCodeOut = remembered.success || hasCode;

  const sending = useAction(async (signal) => {
    setNote(undefined);
    try {
      const sent = await requestCode(chatId, signal);
      if (isCodeOut) {
        setNote({ tone: 'success', text: texts.sentAgain(sent) });
      } else {
        void navigate(dashboardPaths.verify(chatId), { replace: true, state: { sent } });
      }
    } catch (error) {
      if (!signal.aborted) {
        setNote({ tone: 'error', text: reasonOf(error, chatTexts.add.failed) });
        getPlatform().haptic('error');
      }
    }
  });
  const said =
    note ??
    (remembered.success && remembered.output.sent !== ''
      ? ({ tone: 'success', text: remembered.output.sent } as const)
      : undefined);

  const known = client.getQueryData(chatQueries.list().queryKey)?.chats;
  const chat = known?.find(({ chat_id }) => chat_id === chatId);

  return (
    <>
      <BackToList />
      <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
      <div className={styles.columns}>
        <Card>
          <p className={styles.subject} dir="auto">
            {chatTexts.chatTitle(chat ?? { chat_id: chatId, chat_name: '' })}
          </p>
          {!isCodeOut && <p>{texts.offer}</p>}
          {said && (
            <Notice tone={said.tone}>
              <LinkedText text={said.text} />
            </Notice>
          )}
          {isCodeOut ? (
            <CodeForm chatId={chatId} onTyping={() => setNote(undefined)}>
              <Button kind="plain" isBusy={sending.isBusy} onClick={sending.run}>
                {texts.sendAgain}
              </Button>
            </CodeForm>
          ) : (
            <div className={styles.actions}>
              <Button kind="quiet" onClick={() => setHasCode(true)}>
                {texts.haveCode}
              </Button>
              <Button kind="primary" isBusy={sending.isBusy} onClick={sending.run}>
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
