/** The first page: what Nori is, and the buttons that lead in. */
import { LayoutDashboard, LogIn, Send } from 'lucide-react';

import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { Mascot } from '#ui/mascot';

import { texts } from './texts.ts';

import styles from './home-screen.module.css';

export function HomeScreen() {
  const session = useSession();
  const platform = usePlatform();
  const { href, isKnown } = useBotLink();
  const isNewcomer = session.status === 'guest' && session.isNewcomer;

  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.headline}>
          {platform.launch.firstName === undefined ? (
            texts.headline
          ) : (
            <bdi>{texts.greeting(platform.launch.firstName)}</bdi>
          )}
        </h1>
        <p className={styles.lead}>{texts.lead}</p>
        <div className={styles.actions} data-pending={session.status === 'unknown'}>
          <Button
            className={styles.main}
            icon={<Send aria-hidden="true" size={20} />}
            disabled={href === undefined}
            aria-describedby={href === undefined ? 'bot-not-set' : undefined}
            onClick={() => href !== undefined && platform.openTelegramLink(href)}
          >
            {texts.openBot}
          </Button>
          {session.status === 'member' ? (
            <ButtonLink
              className={styles.ghost}
              to={paths.dashboard}
              icon={<LayoutDashboard aria-hidden="true" size={20} />}
            >
              {texts.dashboard}
            </ButtonLink>
          ) : (
            <ButtonLink
              className={styles.ghost}
              to={isNewcomer ? paths.signup : paths.login}
              icon={<LogIn aria-hidden="true" size={20} />}
            >
              {texts.login}
            </ButtonLink>
          )}
        </div>
        {/* Always there, so that nothing moves when the server has answered. */}
        <p id="bot-not-set" className={styles.note} data-shown={isKnown && href === undefined}>
          {texts.notSet(brand.bot.variable)}
        </p>
      </div>
      <Mascot className={styles.mascot} />
    </section>
  );
}
