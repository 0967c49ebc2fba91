/** The mascot, and three small scenes of what the bot does floating around it. Decoration. */
import { Mascot } from '#ui/mascot';

import { texts } from './texts.ts';

import styles from './scenes.module.css';

export function Scenes() {
  return (
    <div className={styles.stage} aria-hidden="true">
      <Mascot className={styles.mascot} />
      <p className={styles.chat}>
        <b>{texts.scenes.command}</b> {texts.scenes.place}
      </p>
      <div className={styles.picture} />
      <p className={styles.player}>
        <span className={styles.bars}>
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
