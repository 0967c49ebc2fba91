/** The finished picture, in a box of its shape before it is there; a press enlarges it. */
import { ImageOff } from 'lucide-react';
import { useState } from 'react';

import { sizeOfRatio } from '#contract/images/ratios';
import { Spinner } from '#ui/spinner';

import { type GenerationRecord } from '../../common/records.ts';
import { usePicture } from '../../common/use-picture.ts';
import { LargePicture } from '../../history/large-picture.tsx';
import { Lightbox } from '../../history/lightbox.tsx';
import { historyTexts } from '../../history/texts.ts';
import { generatorTexts } from './texts.ts';

import styles from './result-panel.module.css';

const { result: texts } = generatorTexts;
const longestAlt = 120;

export function ResultPicture({ record }: { readonly record: GenerationRecord }) {
  const picture = usePicture(record, 'original');
  const [isLarge, setIsLarge] = useState(false);
  const [failedUrl, setFailedUrl] = useState<string>();
  const { width, height } =
    record.width && record.height
      ? { width: record.width, height: record.height }
      : sizeOfRatio(record.ratio);
  const alt = record.prompt.slice(0, longestAlt);
  const isFailed =
    picture.state === 'missing' || (picture.state === 'ready' && picture.url === failedUrl);

  return (
    <div className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
      {isFailed && (
        <p className={styles.failed}>
          <ImageOff aria-hidden size={24} />
          {texts.notLoaded}
          <span>{record.modelName || record.modelId}</span>
        </p>
      )}
      {picture.state === 'loading' && <Spinner label={texts.loading} />}
      {picture.state === 'ready' && !isFailed && (
        <button
          type="button"
          className={styles.enlarge}
          aria-label={texts.enlarge(alt)}
          onClick={() => setIsLarge(true)}
        >
          <img
            src={picture.url}
            alt={alt}
            width={width}
            height={height}
            decoding="async"
            onError={() => setFailedUrl(picture.url)}
          />
        </button>
      )}
      {isLarge && (
        <Lightbox
          ids={[record.id]}
          shownId={record.id}
          onShow={() => undefined}
          onClose={() => setIsLarge(false)}
          renderPicture={() => (
            <LargePicture alt={alt} url={picture.url} isMissing={picture.state === 'missing'} />
          )}
          caption={historyTexts.viewer.model(record.modelName || record.modelId)}
        />
      )}
    </div>
  );
}
