/** What to do when no code comes. Shown for every id alike, so it tells nothing about any account. */
import { type MouseEvent } from 'react';

import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { usePlatform } from '#lib/platform';

import { otpTexts } from './signup-texts.ts';

import styles from './account.module.css';

export function NoCodeHint() {
  const platform = usePlatform();
  const { href, isKnown } = useBotLink();
  const { before, link, after } = otpTexts.noCode;

  function open(event: MouseEvent): void {
    if (href !== undefined) {
      event.preventDefault();
      platform.openTelegramLink(href);
    }
  }

  return (
    <div className={styles.hint}>
      <p>
        {before}
        {href === undefined ? (
          link
        ) : (
          <a className={styles.link} href={href} target="_blank" rel="noopener" onClick={open}>
            {link}
          </a>
        )}
        {after}
      </p>
      {isKnown && href === undefined && <p>{otpTexts.botUnset(brand.bot.variable)}</p>}
    </div>
  );
}
