import { texts } from './texts.ts';

/** The website's footer. */
import styles from './site-footer.module.css';

export function SiteFooter() {
  return (
    <footer className={styles.footer}>
      <p>{texts.footer}</p>
      <p>{texts.footerNote}</p>
    </footer>
  );
}
