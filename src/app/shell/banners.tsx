/** What the shell has to say above the page: the backend is down, you were logged out. */
import { useEffect } from 'react';

import { type Notice as NoticeData, noticeMs, useNotices } from '#lib/notices';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';

import { useOutage } from './backend-health.ts';
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
      {/* Always there: what arrives together with its own live region is not heard. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An `output` holds words, and no boxes with buttons. */}
      <div role="status" aria-atomic={false} className={styles.polite}>
        {outage && (
          <Notice isHeard tone="warning" action={<SupportLink kind="quiet" />}>
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
      isHeard={notice.tone !== 'error'}
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
