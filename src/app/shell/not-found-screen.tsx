/** An address that leads nowhere. */
import { paths } from '#lib/paths';
import { ButtonLink } from '#ui/button';
import { Mascot } from '#ui/mascot';

import { texts } from './texts.ts';

import styles from './whole-page.module.css';

export function NotFoundScreen() {
  return (
    <div className={styles.page}>
      <Mascot mood="surprised" className={styles.mascot} />
      <p className={styles.status}>{texts.notFoundStatus}</p>
      <h1>{texts.notFoundTitle}</h1>
      <p>{texts.notFoundText}</p>
      <ButtonLink kind="primary" to={paths.home}>
        {texts.home}
      </ButtonLink>
    </div>
  );
}
