/** The first run: four steps from adding the bot to a group to choosing what it blocks, each with its state. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { addBotLink } from '#contract/chats/bot-links';
import { chatClaim } from '#contract/endpoints/chats';
import { ApiError, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { dashboardPaths } from '#lib/paths';
import { getPlatform, usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { useAction } from '#lib/use-action';
import { Avatar } from '#ui/avatar';
import { type OutsideLinkProps } from '#ui/button';
import { OutsideButton } from '#ui/outside-button';
import { Cell, Section } from '#ui/section';

import { chatTitle } from './names.ts';
import { chatQueries, useRefetchOnFocus, verifyWithLaunch } from './queries.ts';
import { chatTexts } from './texts.ts';

import styles from './first-run.module.css';

const texts = chatTexts.firstRun;

const steps = ['add', 'right', 'proof', 'preset'] as const;
type FirstRunStep = (typeof steps)[number];

/** The step of the presets has a screen of its own. */
type FirstRunStepsProps = {
  /** The chat that is set up; absent before it is known. */
  readonly chat?: { readonly chat_id: string; readonly chat_name: string };
  readonly current: Exclude<FirstRunStep, 'preset'>;
  /** The server has not said whether the bot is in the chat and has its right. */
  readonly isUnsure?: boolean;
  /** What to do in the current step. */
  readonly children: ReactNode;
};

export function FirstRunSteps({ chat, current, isUnsure = false, children }: FirstRunStepsProps) {
  const position = steps.indexOf(current);
  const toState = (index: number) =>
    index === position
      ? 'current'
      : index > position
        ? 'later'
        : isUnsure && index < steps.indexOf('proof')
          ? 'unsure'
          : 'done';

  return (
    <Section className={styles.section}>
      {chat && (
        <Cell
          before={<Avatar id={chat.chat_id} title={chatTitle(chat)} />}
          title={chatTitle(chat)}
          subtitle={chatTexts.chatId(chat.chat_id)}
        />
      )}
      <ol className={styles.steps} aria-label={texts.label}>
        {steps.map((step, index) => {
          const state = toState(index);
          return (
            <li
              key={step}
              className={styles[state]}
              aria-current={state === 'current' ? 'step' : undefined}
            >
              <span aria-hidden className={styles.mark}>
                {state === 'done' ? <Check size={16} strokeWidth={3} /> : index + 1}
              </span>
              <div className={styles.content}>
                <p className={styles.title}>
                  {texts.steps[step]}
                  {state === 'done' && <span className="visually-hidden">{texts.done}</span>}
                </p>
                {state === 'unsure' && <p className={styles.about}>{texts.unsure}</p>}
                {state === 'current' && children}
              </div>
            </li>
          );
        })}
      </ol>
      {/* The steps change by themselves, so the current one is announced. */}
      <output className="visually-hidden">
        {texts.announce(position + 1, steps.length, texts.steps[current])}
      </output>
    </Section>
  );
}

/** The explanation of a step. */
export function StepHint({ children }: { readonly children: ReactNode }) {
  return <p className={styles.about}>{children}</p>;
}

type AddBotButtonProps = Pick<OutsideLinkProps, 'icon' | 'isWide' | 'children'> & {
  /** The bot's @name, without the @; by default that of `useCapabilities`. */
  readonly bot?: string;
};

/** Opens Telegram's own dialog, which adds the bot to a group or gives it the right. */
export function AddBotButton({ bot, children, ...props }: AddBotButtonProps) {
  const platform = usePlatform();
  const { botUsername } = useCapabilities();
  const name = bot ?? botUsername;
  return (
    <OutsideButton
      {...props}
      href={name === undefined ? undefined : addBotLink(`https://t.me/${name}`)}
      reason={texts.botUnknown}
      kind="primary"
      onOpen={(href) => platform.openTelegramLink(href)}
    >
      {children}
    </OutsideButton>
  );
}

const quickForMs = 5 * 60_000;
const quickEveryMs = 2500;
const slowEveryMs = 15_000;

/**
 * The list of chats. While `isWatched` it is read again and again: the bot tells the server at once when it
 * is added or gets a right, and the list says so. Hidden pages do not read.
 */
export function useWatchedList(isWatched: boolean) {
  const [openedAt] = useState(() => Date.now());
  const query = useQuery({
    ...chatQueries.list(),
    refetchInterval: () =>
      isWatched && (Date.now() - openedAt < quickForMs ? quickEveryMs : slowEveryMs),
  });
  // Telegram's clients keep the page visible behind their own dialogs.
  useRefetchOnFocus(query.refetch);
  return query;
}

/** The launch data by which the server can verify a chat of this user; undefined where a code is needed. */
export function useLaunchProof(): string | undefined {
  const { launch } = usePlatform();
  const session = useSession();
  const isOffered = useCapabilities().has(chatClaim) === true;
  const isOwn = session.status === 'member' && session.telegramId === launch.telegramId;
  return isOffered && isOwn ? launch.initData : undefined;
}

/** Verifies the chat by launch data. Not possible any more when the server wants a code. */
export function useClaim(chatId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const initData = useLaunchProof();
  const [refusal, setRefusal] = useState<{ readonly code: string; readonly text: string }>();

  const { isBusy, run } = useAction(async (signal) => {
    if (initData === undefined) {
      return;
    }
    setRefusal(undefined);
    try {
      const currentId = await verifyWithLaunch(client, { chatId, initData }, signal);
      if (!signal.aborted) {
        getPlatform().haptic('success');
        void navigate(dashboardPaths.presets(currentId), { replace: true });
      }
    } catch (error) {
      if (!signal.aborted) {
        getPlatform().haptic('error');
        setRefusal({
          code: error instanceof ApiError ? error.code : '',
          text: errorText(error, texts.proofFailed),
        });
      }
    }
  });

  return {
    isPossible: initData !== undefined && !isCodeNeeded(refusal?.code),
    refusal,
    isBusy,
    run,
  };
}

/** Whether a refused claim may succeed by a code of the owner. */
export function isCodeNeeded(code: string | undefined): boolean {
  return code === 'not_owner' || code === 'launch_too_old';
}
