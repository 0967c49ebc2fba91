/** Step 3: verifies a chat by the code that its owner got. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { chatClaim, type listChats } from '#contract/endpoints/chats';
import { type Answer } from '#contract/endpoints/endpoint';
import { ApiError, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { holdClosing } from '#lib/closing';
import { useMainButton } from '#lib/main-button';
import { remainingWaitS, resendAfterS, useCountdown } from '#lib/next-code';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { useAction } from '#lib/use-action';
import { formatWait } from '#lib/wait';
import { Button, SubmitButton } from '#ui/button';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';
import { emptyOtp, OtpInput, type OtpInputHandle } from '#ui/otp-input';
import { ResendButton } from '#ui/resend-button';
import { Skeleton } from '#ui/skeleton';
import { Spinner } from '#ui/spinner';

import { AddBotButton, FirstRunSteps, StepHint, useClaim, useWatchedList } from './first-run.tsx';
import { LinkedText } from './linked-text.tsx';
import { chatTitle } from './names.ts';
import { chatQueries, requestCode, useRefetchOnFocus, verifyWithCode } from './queries.ts';
import { BackButton, StepHeading, useOnArrival } from './step-heading.tsx';
import { chatTexts } from './texts.ts';

import styles from './chats.module.css';
import stepStyles from './first-run.module.css';

const { verify: texts, firstRun: firstRunTexts } = chatTexts;

/** State of the history entry after a code was sent: the server's message, and when (epoch milliseconds). */
const sentState = v.object({ sent: v.string(), sentAt: v.number() });
/** State of the history entry of a chat that could not be read: the server's reason, maybe empty. */
const refusedState = v.object({ refusal: v.string() });

type VerifyStepProps = { readonly chatId: string; readonly hasMoved: boolean };

export function VerifyStep({ chatId, hasMoved }: VerifyStepProps) {
  const { has, isKnown } = useCapabilities();
  return (
    <>
      <BackButton />
      <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
      {!isKnown && <Skeleton shape="rows" label={firstRunTexts.loading} />}
      {isKnown &&
        (has(chatClaim) === true ? <LedSteps chatId={chatId} /> : <CodeStep chatId={chatId} />)}
    </>
  );
}

/** With the code alone, as every backend offers it. */
function CodeStep({ chatId }: { readonly chatId: string }) {
  const sending = useSendingCode(chatId);
  const known = useQueryClient().getQueryData(chatQueries.list().queryKey);
  const refused = v.safeParse(refusedState, useLocation().state);
  const refusal = refused.success ? refused.output.refusal : '';

  return (
    <div className={styles.columns}>
      <Card>
        <p className={styles.subject} dir="auto">
          {chatTitle(findChat(known, chatId))}
        </p>
        {!sending.isSent && (
          <p>
            <LinkedText text={refusal || texts.notManaged} />
          </p>
        )}
        <Code sending={sending} nextPath={dashboardPaths.chat} chatId={chatId} />
      </Card>
      <Help />
    </div>
  );
}

/** As part of the first run: where launch data proves who the user is, the owner needs no code. */
function LedSteps({ chatId }: { readonly chatId: string }) {
  const sending = useSendingCode(chatId);
  const claim = useClaim(chatId);
  const { isSent } = sending;
  const { query, listed, current } = useProgress(chatId, isSent ? undefined : claim.refusal?.code);
  const needsCode = current === 'proof' && (isSent || !claim.isPossible);

  // The list does not say when a chat that others have set up gets a right: the claim itself is repeated.
  useRefetchOnFocus(async () => {
    if (listed === undefined && current !== 'proof') {
      claim.run();
    }
  });

  // Others may have set up a chat that this user has not added the bot to.
  const nextPath = listed ? dashboardPaths.presets : dashboardPaths.chat;

  if (query.isLoading) {
    return <Skeleton shape="rows" label={firstRunTexts.loading} />;
  }
  return (
    <div className={styles.columns}>
      <FirstRunSteps
        chat={findChat(query.data, chatId)}
        current={current}
        isUnsure={listed === undefined && !isSent}
      >
        {current === 'proof' ? (
          <>
            {!isSent && <Claim claim={claim} />}
            {needsCode && (
              <div className={stepStyles.wide}>
                <Code chatId={chatId} sending={sending} nextPath={nextPath} />
              </div>
            )}
          </>
        ) : (
          <Missing step={current} />
        )}
      </FirstRunSteps>
      {needsCode && <Help />}
    </div>
  );
}

/** The owner's one tap, and why it did not help. */
function Claim({ claim }: { readonly claim: ReturnType<typeof useClaim> }) {
  const { isPossible, refusal, isBusy, run } = claim;
  return (
    <>
      {isPossible && <StepHint>{firstRunTexts.proofHint}</StepHint>}
      {refusal && <Notice tone="error">{refusal.text}</Notice>}
      {isPossible && (
        <Button kind="primary" isWide isBusy={isBusy} onClick={run}>
          {firstRunTexts.proofAction}
        </Button>
      )}
    </>
  );
}

type MissingStep = 'add' | 'right';

/** What is missing in the chat when the server refuses a claim with this code. */
const missingSteps: Readonly<Record<string, MissingStep>> = {
  bot_not_in_chat: 'add',
  bot_cannot_delete: 'right',
};

/** The step that a chat is at: as the list says, which is newer than a refusal, or else the refusal. */
function useProgress(chatId: string, refusalCode = '') {
  const [isWatched, setIsWatched] = useState(true);
  const query = useWatchedList(isWatched);
  const listed = query.data?.unverified.find(({ chat_id }) => chat_id === chatId);
  const missing = listed
    ? listed.may_delete === false
      ? 'right'
      : undefined
    : missingSteps[refusalCode];
  const isMissing = missing !== undefined;
  if (isMissing !== isWatched && query.data !== undefined) {
    setIsWatched(isMissing);
  }
  return { query, listed, current: missing ?? ('proof' as const) };
}

function Missing({ step }: { readonly step: MissingStep }) {
  return (
    <>
      <StepHint>{firstRunTexts[`${step}AgainHint`]}</StepHint>
      <AddBotButton isWide>{firstRunTexts[`${step}Action`]}</AddBotButton>
    </>
  );
}

function findChat(
  list: Pick<Answer<typeof listChats>, 'chats' | 'unverified'> | undefined,
  chatId: string,
) {
  const known = [...(list?.chats ?? []), ...(list?.unverified ?? [])];
  return known.find(({ chat_id }) => chat_id === chatId) ?? { chat_id: chatId, chat_name: '' };
}

type CodeProps = {
  readonly chatId: string;
  readonly sending: ReturnType<typeof useSendingCode>;
  readonly nextPath: (chatId: string) => string;
};

function Code({ chatId, sending, nextPath }: CodeProps) {
  const { isSent, message, clearMessage, waitS, isSending, send, setHasCode } = sending;
  return (
    <>
      {!isSent && <p>{texts.offer}</p>}
      {message && (
        <Notice tone={message.tone}>
          <LinkedText text={message.text} />
        </Notice>
      )}
      {isSent ? (
        <CodeForm chatId={chatId} nextPath={nextPath} onTyping={clearMessage}>
          <ResendButton
            text={texts.sendAgain}
            waitText={waitS > 0 ? texts.sendAgainIn(formatWait(waitS)) : undefined}
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
    </>
  );
}

function Help() {
  return (
    <Card title={texts.help}>
      <ul className={styles.hints}>
        <li>{texts.whereItIs}</li>
        <li>{texts.ownerStarted}</li>
        <li>{texts.onlyThis}</li>
      </ul>
    </Card>
  );
}

/** Sends the first code and further ones to the owner, unless the user has one already. */
function useSendingCode(chatId: string) {
  const [hasCode, setHasCode] = useState(false);
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
        setNote({ tone: 'success', text: `${texts.sentAgain} ${sent}`.trim() });
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
    /** The user has a code, or one is on its way. */
    isSent,
    setHasCode,
    /** The outcome of the last sending. */
    message,
    clearMessage: () => setNote(undefined),
    /** Seconds until another code can be requested. */
    waitS,
    isSending: isBusy,
    send: run,
  };
}

type CodeFormProps = Pick<CodeProps, 'chatId' | 'nextPath'> & {
  readonly onTyping: () => void;
  /** More actions, below those of the form. */
  readonly children: ReactNode;
};

function CodeForm({ chatId, nextPath, onTyping, children }: CodeFormProps) {
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
        void navigate(nextPath(currentId), { replace: true });
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
