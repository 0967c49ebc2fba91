/** Parts that the sections of the account's page share. */
import { type RefObject, useRef, useState } from 'react';

import { errorText } from '#lib/api';
import { formatDay, formatTime } from '#lib/dates';
import { joinList } from '#lib/format';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Button } from '#ui/button';
import { EmptyState, passFocusOn } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Skeleton } from '#ui/skeleton';

import { accountTexts } from './texts.ts';

import styles from './page.module.css';

/** A hidden field that tells password managers whose password it is. */
export function UsernameForManagers({ telegramId }: { readonly telegramId?: string | undefined }) {
  const session = useSession();
  const ownId = session.status === 'member' ? session.telegramId : undefined;
  return (
    <input
      type="text"
      name="username"
      autoComplete="username"
      value={telegramId ?? ownId ?? ''}
      readOnly
      hidden
    />
  );
}

type LoadingProps = {
  readonly query: {
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  readonly texts: { readonly loading: string; readonly failed: string };
};

/** What a section shows before its data: rows without words, or why it could not be loaded and a way to try again. */
export function Loading({ query: { error, isFetching, refetch }, texts }: LoadingProps) {
  return error && !isFetching ? (
    <EmptyState
      mood="surprised"
      title={texts.failed}
      action={
        <Button ref={passFocusOn} onClick={() => void refetch()}>
          {accountTexts.retry}
        </Button>
      }
    >
      {errorText(error, '')}
    </EmptyState>
  ) : (
    <Skeleton shape="rows" label={texts.loading} />
  );
}

type Question = {
  readonly title: string;
  /** At most 256 characters. */
  readonly message: string;
  readonly confirm: string;
};

/**
 * Returns a function that asks before an action that cannot be undone. Resolves to whether the user
 * agreed; false at once while the question is open.
 */
export function useConfirmation({ title, message, confirm }: Question): () => Promise<boolean> {
  const platform = usePlatform();
  const isAsking = useRef(false);

  return async () => {
    if (isAsking.current) {
      return false;
    }
    isAsking.current = true;
    platform.haptic('warning');
    const answer = await platform.popup({
      title,
      message,
      buttons: [
        { id: 'cancel', text: accountTexts.cancel, kind: 'cancel' },
        { id: 'confirm', text: confirm, kind: 'destructive' },
      ],
    });
    isAsking.current = false;
    return answer === 'confirm';
  };
}

/** How an action ended. */
export type Outcome = { readonly tone: 'success' | 'error'; readonly text: string };

/** What the rows of a list need for their actions. */
export type SettleProps = {
  /** Shows how it ended; undefined when it begins. */
  readonly settle: (outcome: Outcome | undefined) => void;
  readonly heading: RefObject<HTMLElement | null>;
};

/** How the last action of a section ended. */
export function useOutcome() {
  const platform = usePlatform();
  const [outcome, setOutcome] = useState<Outcome>();
  return {
    outcome,
    settle: (settled: Outcome | undefined): void => {
      setOutcome(settled);
      if (settled) {
        platform.haptic(settled.tone);
      }
    },
  };
}

/** Stands below the rows. */
export function OutcomeNotice({ outcome }: { readonly outcome: Outcome | undefined }) {
  return (
    outcome && (
      <div className={styles.outcome}>
        <Notice tone={outcome.tone}>{outcome.text}</Notice>
      </div>
    )
  );
}

/** "Today, 14:05", "3 days ago, 22:10", "21 Nov 2026, 14:05"; undefined if `moment` is not ISO 8601. */
export function formatDayAndTime(moment: string): string | undefined {
  const at = Date.parse(moment);
  return Number.isNaN(at)
    ? undefined
    : joinList([formatDay(at, { datesFrom: 7, style: 'medium' }), formatTime(at)]);
}
