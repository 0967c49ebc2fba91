/** A style of Kusa: its picture, and a pill with its number that turns into its first name. */
import { ImageOff } from 'lucide-react';
import { useState } from 'react';

import { type WireStyle } from '#contract/endpoints/kusa';
import { usePlatform } from '#lib/platform';

import { kusaTexts as texts } from './texts.ts';

import styles from './kusa.module.css';

type StyleCardProps = {
  readonly style: WireStyle;
  readonly tabIndex: 0 | -1;
};

export function StyleCard({ style, tabIndex }: StyleCardProps) {
  const { id, image_url: url } = style;
  const platform = usePlatform();
  const [isTurned, setIsTurned] = useState(false);
  const [isFailed, setIsFailed] = useState(!url);
  const name = originalName(style);

  return (
    // Hovering and focusing turn the pill by the style sheet; a tap, which has neither, by its press.
    <button
      type="button"
      tabIndex={tabIndex}
      className={styles.card}
      aria-pressed={isTurned}
      aria-label={getStyleName(style)}
      onClick={() => {
        platform.haptic('light');
        setIsTurned(!isTurned);
      }}
    >
      {isFailed ? (
        <span className={styles.failed}>
          <ImageOff aria-hidden size={24} />
          {texts.notLoaded}
        </span>
      ) : (
        <img
          src={url ?? ''}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setIsFailed(true)}
        />
      )}
      <span className={styles.pill}>
        <span className={styles.number}>{texts.pill(id)}</span>
        <span className={styles.name}>{name}</span>
      </span>
    </button>
  );
}

/** What the style was called first; backends that do not tell have only its present name. */
function originalName({ id, name, og_name }: WireStyle): string {
  return og_name?.trim() || name?.trim() || texts.pill(id);
}

/** What a card is called when the focus comes to it. */
export function getStyleName(style: WireStyle): string {
  return texts.name(style.id, originalName(style));
}
