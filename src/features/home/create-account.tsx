/** For visitors: what an account is good for, and the way to one. */
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { ButtonLink } from '#ui/button';

import { texts } from './texts.ts';

import styles from './home-screen.module.css';

export function CreateAccount() {
  const session = useSession();
  const { launch } = usePlatform();
  // Whom Telegram is about to sign in is no visitor.
  const isVisitor =
    session.status === 'guest' || (session.status === 'unknown' && launch.initData === undefined);
  if (!isVisitor) {
    return null;
  }

  return (
    <section
      className={`${styles.section} ${styles.account}`}
      data-pending={session.status === 'unknown'}
      aria-labelledby="create-account"
    >
      <div className={styles.intro}>
        <h2 id="create-account">{texts.account.heading}</h2>
        <p>{texts.account.lead}</p>
      </div>
      <div className={styles.links}>
        <ButtonLink to={paths.login}>{texts.login}</ButtonLink>
        <ButtonLink kind="primary" to={paths.signup}>
          {texts.signup}
        </ButtonLink>
      </div>
    </section>
  );
}
