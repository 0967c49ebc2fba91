/** The first thing on Home: what Nori is, and the buttons that lead in. Inside Telegram, a greeting. */
import { LayoutDashboard, LogIn, Search, Send } from 'lucide-react';

import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { ButtonLink } from '#ui/button';

import { OutsideLink } from './outside-link.tsx';
import { Scenes } from './scenes.tsx';
import { texts } from './texts.ts';

import styles from './hero.module.css';

const iconSize = 20;

export function Hero() {
  const session = useSession();
  const { firstName } = usePlatform().launch;
  const { href, isKnown } = useBotLink();
  const isNewcomer = session.status === 'guest' && session.isNewcomer;

  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.headline}>
          {firstName === undefined ? texts.headline : <bdi>{texts.greeting(firstName)}</bdi>}
        </h1>
        <p className={styles.lead}>{texts.lead}</p>
        <div className={styles.actions} data-pending={session.status === 'unknown'}>
          <OutsideLink
            className={styles.main}
            href={href}
            reasonId="bot-not-set"
            icon={<Send aria-hidden="true" size={iconSize} />}
          >
            {texts.openBot}
          </OutsideLink>
          {session.status === 'member' ? (
            <ButtonLink
              className={styles.ghost}
              to={paths.dashboard}
              icon={<LayoutDashboard aria-hidden="true" size={iconSize} />}
            >
              {texts.dashboard}
            </ButtonLink>
          ) : (
            <ButtonLink
              className={`${styles.ghost} ${styles.login}`}
              to={isNewcomer ? paths.signup : paths.login}
              icon={<LogIn aria-hidden="true" size={iconSize} />}
            >
              {texts.login}
            </ButtonLink>
          )}
          <ButtonLink
            className={styles.ghost}
            to={paths.features}
            icon={<Search aria-hidden="true" size={iconSize} />}
          >
            {texts.features}
          </ButtonLink>
        </div>
        {brand.bot.href === undefined && (
          // Always there, so that nothing moves when the server has answered.
          <p id="bot-not-set" className={styles.note} data-shown={isKnown && href === undefined}>
            {texts.botNotSet}
          </p>
        )}
      </div>
      <div className={styles.scenes}>
        <Scenes />
      </div>
    </section>
  );
}
