/** The top of the first page: what Nori is, and the first buttons. Inside Telegram it greets the user. */
import { LayoutDashboard, LogIn, Search, Send } from 'lucide-react';

import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { useIsOperator } from '#lib/operator';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { ButtonLink, OutsideLink } from '#ui/button';
import { Mascot } from '#ui/mascot';

import { texts } from './texts.ts';

import styles from './hero.module.css';
import sceneStyles from './scenes.module.css';

const iconSize = 20;

export function Hero() {
  const session = useSession();
  const { launch, openTelegramLink } = usePlatform();
  const { firstName } = launch;
  const isOperator = useIsOperator();
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
            onOpen={openTelegramLink}
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
          // Always in the page, so that nothing moves when the server has answered.
          <p id="bot-not-set" className={styles.note} data-shown={isKnown && href === undefined}>
            {isOperator ? texts.setBot : texts.noBot}
          </p>
        )}
      </div>
      <div className={styles.scenes}>
        <Scenes />
      </div>
    </section>
  );
}

/** Decoration: the mascot and three small scenes of what the bot does. */
function Scenes() {
  return (
    <div className={sceneStyles.stage} aria-hidden="true">
      <Mascot className={sceneStyles.mascot} />
      <p className={sceneStyles.chat}>
        <b>{texts.scenes.command}</b> {texts.scenes.place}
      </p>
      <div className={sceneStyles.picture} />
      <p className={sceneStyles.player}>
        <span className={sceneStyles.bars}>
          <i />
          <i />
          <i />
          <i />
        </span>
        {texts.scenes.player}
      </p>
    </div>
  );
}
