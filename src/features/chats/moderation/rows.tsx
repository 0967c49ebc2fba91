/** What the lists about members share: the action of a row, and what stands in for a list that is being read. */
import { type ReactNode, useRef, useState } from 'react';

import { errorText } from '#lib/api';
import { useFocusKept } from '#lib/focus';
import { usePlatform } from '#lib/platform';
import { useAction } from '#lib/use-action';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';
import { Skeleton } from '#ui/skeleton';

import { handleLostAccess } from '../failed-writes.ts';
import { chatTexts } from '../texts.ts';

import styles from '../sections/sections.module.css';

type RowActionOptions = {
  readonly chatId: string;
  readonly act: () => Promise<void>;
  /** Asked before, for what cannot be undone. */
  readonly confirm?: (() => Promise<boolean>) | undefined;
  /** What is said when the server gives no reason. */
  readonly failed: string;
  readonly text: string;
  /** The accessible name, which also says what is meant. */
  readonly label: string;
  readonly icon?: ReactNode;
};

/** An action on a row: its button, and what the server says when it refuses, which is announced. */
export function useRowAction({ chatId, act, confirm, failed, ...parts }: RowActionOptions): {
  readonly button: ReactNode;
  readonly refusal: ReactNode;
} {
  const platform = usePlatform();
  const [refusal, setRefusal] = useState('');
  const { isBusy, run } = useAction(async () => {
    setRefusal('');
    try {
      await act();
      platform.haptic('success');
    } catch (error) {
      if (!handleLostAccess(chatId, error)) {
        platform.haptic('error');
        setRefusal(errorText(error, failed));
      }
    }
  });
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(button, isBusy);

  async function press(): Promise<void> {
    if (confirm === undefined || (await confirm())) {
      run();
    }
  }

  return {
    button: (
      <Button
        ref={button}
        kind="quiet"
        isBusy={isBusy}
        icon={parts.icon}
        aria-label={parts.label}
        onClick={() => void press()}
      >
        {parts.text}
      </Button>
    ),
    refusal:
      refusal === '' ? null : (
        <span role="alert" className={styles.refusal}>
          {refusal}
        </span>
      ),
  };
}

type UnreadListProps = {
  readonly query: {
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  readonly loading: string;
  readonly failed: string;
};

/** Smaller than what stands in for a whole screen, as several lists may fail at once. */
export function UnreadList({ query, loading, failed }: UnreadListProps) {
  const { error, isFetching, refetch } = query;
  return error && !isFetching ? (
    <div className={styles.inset}>
      <Notice
        tone="error"
        action={<Button onClick={() => void refetch()}>{chatTexts.retry}</Button>}
      >
        {failed}
      </Notice>
    </div>
  ) : (
    <Skeleton shape="rows" count={2} label={loading} />
  );
}
