/** The Preview tab: the picture, or the sound with its controls. */
import { useState } from 'react';

import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';

import { type PreviewKind } from './preview-link.ts';
import { texts } from './texts.ts';

import styles from './answer.module.css';

type PreviewProps = {
  readonly kind: PreviewKind;
  readonly url: string;
  /** Which endpoint it is of. */
  readonly name: string;
  /** Blurred until somebody wants to see it. */
  readonly isVeiled: boolean;
};

export function Preview({ kind, url, name, isVeiled }: PreviewProps) {
  const platform = usePlatform();
  const [isBroken, setIsBroken] = useState(false);
  const [isShown, setIsShown] = useState(!isVeiled);

  if (isBroken) {
    return (
      <Notice
        tone="error"
        action={
          url.startsWith('blob:') ? undefined : (
            <Button onClick={() => platform.openLink(url)}>{texts.open}</Button>
          )
        }
      >
        {kind === 'image' ? texts.imageFailed : texts.audioFailed}
      </Notice>
    );
  }
  if (kind === 'audio') {
    return (
      // What is said is in the form; there is no other text of it.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <audio
        className={styles.audio}
        controls
        preload="metadata"
        src={url}
        aria-label={texts.image(name)}
        onError={() => setIsBroken(true)}
      />
    );
  }
  return (
    <figure className={isShown ? styles.picture : `${styles.picture} ${styles.veiled}`}>
      <img
        src={url}
        alt={texts.image(name)}
        referrerPolicy="no-referrer"
        onError={() => setIsBroken(true)}
      />
      {!isShown && (
        <Button className={styles.reveal} onClick={() => setIsShown(true)}>
          {texts.reveal}
        </Button>
      )}
    </figure>
  );
}
