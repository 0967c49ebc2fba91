/** The website's footer. */
import { paths } from '#lib/paths';
import { ButtonLink } from '#ui/button';

import { SupportLink } from './support-link.tsx';
import { texts } from './texts.ts';

import styles from './site-footer.module.css';

export function SiteFooter() {
  return (
    <footer className={styles.footer}>
      <p>{texts.footer}</p>
      <ButtonLink kind="quiet" to={paths.privacyPolicy}>
        {texts.privacyPolicy}
      </ButtonLink>
      <SupportLink kind="quiet" />
    </footer>
  );
}
