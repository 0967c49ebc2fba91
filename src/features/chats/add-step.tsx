/** Step 2: names a chat by its id, and has its owner sent a code. */
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { addChat } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
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

/** What is wrong with the number, and who says so. */
type Fault = { readonly by: 'form' | 'server'; readonly text: string };

export function AddStep({ hasMoved }: { readonly hasMoved: boolean }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const refusalId = useId();
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<Fault>();
  const isRefused = fault?.by === 'server';

  function refuse(next: Fault): void {
    setFault(next);
    getPlatform().haptic('error');
    field.current?.focus();
  }

  const { isBusy, run } = useAction(async (signal) => {
    setFault(undefined);
    const checked = v.safeParse(addChat.input, { chat_id: typed }, { abortPipeEarly: true });
    if (!checked.success) {
      refuse({ by: 'form', text: checked.issues[0].message });
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
        refuse({ by: 'server', text: errorText(error, texts.failed) });
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
          <form className={styles.form} noValidate onSubmit={submit}>
            <Field
              ref={field}
              label={texts.field}
              placeholder={texts.example}
              value={typed}
              error={isRefused ? undefined : fault?.text}
              isInvalid={isRefused}
              describedBy={isRefused ? refusalId : undefined}
              // Phones have no minus sign on their number keyboards.
              inputMode="text"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="next"
              dir="ltr"
              onChange={(event) => {
                setTyped(event.target.value);
                setFault(undefined);
              }}
            />
            {isRefused && (
              <Notice tone="error" id={refusalId}>
                <LinkedText text={fault.text} />
              </Notice>
            )}
            <Actions isBusy={isBusy} isElsewhere={hasMainButton} />
          </form>
        </Card>
        <Preparation />
      </div>
      <BelowNoChats />
    </>
  );
}

function Actions({ isBusy, isElsewhere }: Record<'isBusy' | 'isElsewhere', boolean>) {
  const navigate = useNavigate();
  return (
    <div className={styles.actions}>
      <Button kind="quiet" onClick={() => void navigate(dashboardPaths.list)}>
        {chatTexts.backToList}
      </Button>
      <SubmitButton
        text={chatTexts.proceed}
        isBusy={isBusy}
        isElsewhere={isElsewhere}
        isWide={false}
      />
    </div>
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
