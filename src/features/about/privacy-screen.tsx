/** The privacy policy. Printed, it is black on white, without the page around it. */
import { Send } from 'lucide-react';

import { brand } from '#lib/brand';
import { useIsOperator } from '#lib/operator';
import { usePlatform } from '#lib/platform';
import { OutsideButton } from '#ui/outside-button';

import { privacyTexts as texts } from './privacy-texts.ts';

import styles from './privacy.module.css';

export function PrivacyScreen() {
  const platform = usePlatform();
  const isOperator = useIsOperator();
  return (
    <article className={styles.policy}>
      <header className={styles.header}>
        <h1 tabIndex={-1}>{texts.heading}</h1>
        <p className={styles.updated}>{texts.updated}</p>
        <p>{texts.lead}</p>
      </header>
      {Object.values(texts.sections).map(({ heading, paragraphs }) => (
        <section key={heading} className={styles.section}>
          <h2>{heading}</h2>
          {Object.values(paragraphs).map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
      <div className={styles.contact}>
        <OutsideButton
          kind="primary"
          href={brand.support.href}
          reason={isOperator ? texts.setVariable(brand.support.variable) : texts.noContact}
          icon={<Send aria-hidden size={20} />}
          onOpen={platform.openTelegramLink}
        >
          {texts.contact}
        </OutsideButton>
      </div>
    </article>
  );
}
