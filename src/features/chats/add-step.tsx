/** Step 2: names a chat by its id, and has its owner sent a code. */
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { addChat } from '#contract/endpoints/chats';
import { reasonOf } from '#lib/api';
import { useMainButton } from '#lib/main-button';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { Button, SubmitButton } from '#ui/button';
import { Card } from '#ui/card';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';

import { BelowChats } from './below-chats.tsx';
import { LinkedText } from './linked-text.tsx';
import { PickGroup } from './pick/pick-group.tsx';
import { chatQueries, requestCode } from './queries.ts';
import { StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';
import { useAction } from './use-action.ts';

import styles from './chats.module.css';

const texts = chatTexts.add;

export function AddStep({ hasMoved }: { readonly hasMoved: boolean }) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState('');
  const [fieldError, setFieldError] = useState<string>();
  const [refusal, setRefusal] = useState<string>();

  function refuseField(message: string): void {
    setFieldError(message);
    getPlatform().haptic('error');
    form.current?.querySelector('input')?.focus();
  }

  const { isBusy, run } = useAction(async (signal) => {
    setRefusal(undefined);
    const checked = v.safeParse(addChat.input, { chat_id: typed }, { abortPipeEarly: true });
    if (!checked.success) {
      refuseField(checked.issues[0].message);
      return;
    }
    const { chat_id } = checked.output;
    try {
      const sent = await requestCode(chat_id, signal);
      // Back is to lead out of adding a chat, and not into a step that is done.
      void navigate(dashboardPaths.verify(chat_id), {
        replace: true,
        state: { sent, sentAt: Date.now() },
      });
    } catch (error) {
      if (!signal.aborted) {
        setRefusal(reasonOf(error, texts.failed));
        getPlatform().haptic('error');
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
    <>
      <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
      <PickGroup />
      <div className={styles.columns}>
        <Card>
          <form ref={form} className={styles.form} noValidate onSubmit={submit}>
            <Field
              label={texts.field}
              placeholder={texts.example}
              value={typed}
              error={fieldError}
              // Phones have no minus sign on their number keyboards.
              inputMode="text"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="next"
              dir="ltr"
              onChange={(event) => {
                setTyped(event.target.value);
                setFieldError(undefined);
              }}
            />
            {refusal !== undefined && (
              <Notice tone="error">
                <LinkedText text={refusal} />
              </Notice>
            )}
            <div className={styles.actions}>
              <Button kind="quiet" onClick={() => void navigate(dashboardPaths.list)}>
                {chatTexts.backToList}
              </Button>
              <SubmitButton
                text={chatTexts.proceed}
                isBusy={isBusy}
                isElsewhere={hasMainButton}
                isWide={false}
              />
            </div>
          </form>
        </Card>
        <Preparation />
      </div>
      <BelowNoChats />
    </>
  );
}

/** Without chats the dashboard begins here: what its list also shows must not be out of reach. */
function BelowNoChats() {
  const { data } = useQuery({ ...chatQueries.list(), enabled: false });
  return data?.chats.length === 0 ? <BelowChats /> : null;
}

/** What has to be done in Telegram first. */
function Preparation() {
  return (
    <Card title={texts.before}>
      <ol className={styles.hints}>
        <li>{texts.botIsAdmin}</li>
        <li>{texts.findId}</li>
        <li>{texts.ownerStarted}</li>
      </ol>
    </Card>
  );
}
