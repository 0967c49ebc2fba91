/** The front of a model's card: its cover, blurred until somebody is known to be an adult, and its name. */
import { Eye, ImageOff } from 'lucide-react';
import { use, useState } from 'react';

import { type ModelCard } from '#contract/endpoints/models';

import { AdultCoversContext } from './adult-covers.ts';
import { modelTexts } from './texts.ts';

import styles from './model-card.module.css';

const { card: texts } = modelTexts;

type CoverProps = {
  readonly model: ModelCard;
  readonly name: string;
  readonly tabIndex: 0 | -1;
  readonly onFlip: () => void;
};

export function Cover({ model, name, tabIndex, onFlip }: CoverProps) {
  const { thumbnail, width, height, isNsfw, type, modelId } = model;
  const [failedUrl, setFailedUrl] = useState<string>();
  const adult = use(AdultCoversContext);
  const isFailed = thumbnail === undefined || thumbnail === failedUrl;
  const isHidden = isNsfw && !adult.areShown;

  return (
    // Pressing the picture turns the card; the button for that is below, with a name of its own.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div className={styles.front} onClick={onFlip}>
      {isFailed ? (
        <div className={styles.failed}>
          <ImageOff aria-hidden size={24} />
          <p>{texts.coverFailed}</p>
          <h2 className={styles.name}>{name}</h2>
          <p className={styles.lostId}>{modelId}</p>
        </div>
      ) : (
        <img
          className={isHidden ? styles.hidden : undefined}
          src={thumbnail}
          width={width}
          height={height}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailedUrl(thumbnail)}
        />
      )}
      {isHidden && !isFailed && (
        <button
          type="button"
          className={styles.reveal}
          tabIndex={tabIndex}
          aria-label={texts.reveal}
          onClick={(event) => {
            event.stopPropagation();
            adult.ask();
          }}
        >
          <Eye aria-hidden size={18} />
          {texts.adult}
        </button>
      )}
      <span className={styles.type}>{type.toLowerCase()}</span>
      {!isFailed && (
        <div className={styles.caption}>
          <h2 className={styles.name}>{name}</h2>
          <p className={styles.meta}>{modelId}</p>
        </div>
      )}
    </div>
  );
}
