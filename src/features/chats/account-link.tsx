/** The way to the account's page, where the server offers what stands there. */
import { UserRound } from 'lucide-react';

import { useCapabilities } from '#lib/capabilities';
import { paths } from '#lib/paths';
import { ButtonLink } from '#ui/button';

import { chatTexts } from './texts.ts';

import styles from './chats.module.css';

export function AccountLink() {
  const isOffered = useCapabilities().has('auth.sessions') === true;
  return (
    // Its place is kept: what stands beside it must not move when the server has answered.
    <div className={styles.account}>
      {isOffered && (
        <ButtonLink
          kind="quiet"
          className={styles.accountLink}
          icon={<UserRound aria-hidden size={18} />}
          to={paths.account}
        >
          <span className={styles.accountText}>{chatTexts.account}</span>
        </ButtonLink>
      )}
    </div>
  );
}
