/** The messages above the page: notices, and the banner that the backend cannot be reached. */
import { onlineManager, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

import { readHealth } from '#contract/endpoints/site';
import { call, outageListeners } from '#lib/api';
import { type Notice as NoticeData, noticeMs, useNotices } from '#lib/notices';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';

import { SupportLink } from './support-link.tsx';
import { texts } from './texts.ts';

import styles from './banners.module.css';

export function Banners() {
  const outage = useOutage();
  const notices = useNotices((state) => state.notices);

  const draw = (isUrgent: boolean) =>
    notices
      .filter(({ tone }) => (tone === 'error') === isUrgent)
      .map((notice) => <TimedNotice key={notice.id} notice={notice} />);

  return (
    <div className={styles.banners}>
      {/* Always in the page: screen readers announce changes of a live region, not a new one. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An `output` may not hold blocks with buttons. */}
      <div role="status" aria-atomic={false} className={styles.polite}>
        {outage && (
          <Notice isInLiveRegion tone="warning" action={<SupportLink kind="quiet" />}>
            {texts[outage]}
          </Notice>
        )}
        {draw(false)}
      </div>
      <div className={styles.urgent}>{draw(true)}</div>
    </div>
  );
}

function TimedNotice({ notice }: { readonly notice: NoticeData }) {
  const close = useNotices((state) => state.close);
  const { action } = notice;

  useEffect(() => {
    const timer = setTimeout(() => close(notice.id), notice.durationMs ?? noticeMs.short);
    return () => clearTimeout(timer);
  }, [close, notice]);

  return (
    <Notice
      isInLiveRegion={notice.tone !== 'error'}
      tone={notice.tone}
      onClose={() => close(notice.id)}
      action={
        action && (
          <Button
            onClick={() => {
              close(notice.id);
              action.press();
            }}
          >
            {action.text}
          </Button>
        )
      }
    >
      {notice.text}
    </Notice>
  );
}

/** The banner appears after this many failures in a row, and goes after one success. */
const failuresForBanner = 2;
const whenUpMs = 60_000;
/** A check without an answer has failed after this: a proxy may hold a connection whose server is down. */
const maxCheckMs = 5000;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** The pause before the next check. It doubles with each failure; the jitter spreads the clients. */
function pauseMs(failures: number): number {
  const pause =
    failures === 0 ? whenUpMs : Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  return pause * (0.75 + Math.random() / 4);
}

const subscribe = (listen: () => void) => onlineManager.subscribe(listen);

/**
 * Why the backend cannot be reached: it is down, or the device is offline. False while the backend
 * answers, and until the first failures.
 */
function useOutage(): 'backendDown' | 'offline' | false {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  // Part of the key, so that a change of the network checks at once. `onLine` alone is not reliable.
  const queryKey = ['health', isOnline];
  const health = useQuery<number>({
    queryKey,
    // Counts the failures in a row. A failed check is a result, not an error.
    queryFn: ({ client }) =>
      call(readHealth, {}, AbortSignal.timeout(maxCheckMs)).then(
        () => 0,
        () => (client.getQueryData<number>(queryKey) ?? 0) + 1,
      ),
    refetchInterval: ({ state }) => pauseMs(state.data ?? 0),
    refetchOnReconnect: 'always',
    refetchOnWindowFocus: 'always',
  });
  // A failed call causes a check at once. After a failed check the next one has its time.
  const check = useEffectEvent(() => {
    if (!health.data) {
      void health.refetch({ cancelRefetch: false });
    }
  });
  useEffect(() => {
    const listen = () => check();
    outageListeners.add(listen);
    return () => void outageListeners.delete(listen);
  }, []);
  return (health.data ?? 0) >= failuresForBanner && (isOnline ? 'backendDown' : 'offline');
}
