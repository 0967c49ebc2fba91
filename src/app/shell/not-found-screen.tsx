/** The page of an unknown address. */
import { labels, titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { ButtonLink } from '#ui/button';
import { Mascot } from '#ui/mascot';

import { laterTexts } from './later-texts.ts';
import { SupportLink } from './support-link.tsx';

import styles from './whole-page.module.css';

export function NotFoundScreen() {
  return (
    <div className={styles.page}>
      <Mascot mood="surprised" className={styles.mascot} />
      <p className={styles.status}>{laterTexts.notFoundStatus}</p>
      <h1>{laterTexts.notFoundTitle}</h1>
      <p>{laterTexts.notFoundText}</p>
      <div className={styles.actions}>
        <ButtonLink kind="primary" to={paths.home}>
          {labels.home}
        </ButtonLink>
        <ButtonLink to={paths.features}>{titles.features}</ButtonLink>
        <ButtonLink to={paths.api}>{titles.api}</ButtonLink>
        <SupportLink />
      </div>
    </div>
  );
}
