/** The ways on from a callback page: to Telegram, from where most people came, and to the dashboard. */
import { LayoutDashboard, Send } from 'lucide-react';
import { type ReactNode } from 'react';

import { useBotLink } from '#lib/bot-link';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { ButtonLink } from '#ui/button';

import { callbackTexts as texts } from './texts.ts';

import styles from './connections.module.css';

/** `children`: what matters more than going on. */
export function WaysBack({ children }: { readonly children?: ReactNode }) {
  const platform = usePlatform();
  const session = useSession();
  const { href } = useBotLink();
  const isMember = session.status === 'member';
  const toTelegram = platform.container === 'web' ? href : undefined;
  // Whoever has a session here began here; everybody else comes from Telegram's own browser.
  const hasDashboard = isMember || toTelegram === undefined;
  const main = children === undefined ? 'primary' : 'plain';

  return (
    <div className={styles.ways}>
      {children}
      {hasDashboard && (
        <ButtonLink
          kind={main}
          isWide
          to={paths.dashboard}
          icon={<LayoutDashboard aria-hidden size={20} />}
        >
          {texts.toDashboard}
        </ButtonLink>
      )}
      {toTelegram !== undefined && (
        <ButtonLink
          kind={isMember ? 'plain' : main}
          isWide
          to={toTelegram}
          target="_blank"
          rel="noopener noreferrer"
          icon={<Send aria-hidden size={20} />}
          onClick={(event) => {
            event.preventDefault();
            platform.openTelegramLink(toTelegram);
          }}
        >
          {texts.toTelegram}
        </ButtonLink>
      )}
    </div>
  );
}
