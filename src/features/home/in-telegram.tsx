/** The way into the messaging app: the bot, the updates channel, and on a desk a code for the phone. */
import { Send } from 'lucide-react';

import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';

import { OutsideLink } from './outside-link.tsx';
import { PhonePanel } from './phone-panel.tsx';
import { texts } from './texts.ts';

import styles from './home-screen.module.css';

export function InTelegram() {
  const { href } = useBotLink();

  return (
    <section className={`${styles.section} ${styles.panel}`} aria-labelledby="in-telegram">
      <div className={styles.words}>
        <h2 id="in-telegram">{texts.telegram.heading}</h2>
        <p>{texts.telegram.lead}</p>
        <div className={styles.links}>
          <OutsideLink
            kind="primary"
            href={href}
            reasonId="bot-not-set"
            icon={<Send aria-hidden="true" size={20} />}
          >
            {texts.openBot}
          </OutsideLink>
          <OutsideLink href={brand.updates.href} reasonId="updates-not-set">
            {texts.telegram.updates}
          </OutsideLink>
        </div>
        {brand.updates.href === undefined && (
          <p id="updates-not-set" className={styles.note}>
            {texts.telegram.updates}: {texts.notSet(brand.updates.variable)}
          </p>
        )}
      </div>
      <PhonePanel href={href} />
    </section>
  );
}
