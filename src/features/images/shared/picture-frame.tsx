/** A finished picture in a box of its shape, before it is there, too; a press enlarges it. */
import { ImageOff } from 'lucide-react';
import { useState } from 'react';

import { sizeOfRatio } from '#contract/images/ratios';
import { Spinner } from '#ui/spinner';

import { pictureTexts as texts } from './picture-texts.ts';
import { type GenerationRecord } from './records.ts';
import { type Picture, usePicture } from './use-picture.ts';

import styles from './result.module.css';

type PictureFrameProps = {
  readonly record: GenerationRecord;
  /** What the picture is of, where its prompt says too little. */
  readonly name?: string;
  readonly onEnlarge: () => void;
};

const maxAltLength = 120;

export function PictureFrame({ record, name = record.prompt, onEnlarge }: PictureFrameProps) {
  const { picture, isFailed, onError } = useShownPicture(record);
  const { width, height } =
    record.width && record.height
      ? { width: record.width, height: record.height }
      : sizeOfRatio(record.ratio);
  const alt = name.slice(0, maxAltLength);

  return (
    <div className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
      {isFailed && (
        <p className={styles.failed}>
          <ImageOff aria-hidden size={24} />
          {texts.notLoaded}
          <span>{record.modelName || record.modelId || alt}</span>
        </p>
      )}
      {picture.state === 'loading' && <Spinner label={texts.loading} />}
      {picture.state === 'ready' && !isFailed && (
        <button
          type="button"
          className={styles.enlarge}
          aria-label={texts.enlarge(alt)}
          onClick={onEnlarge}
        >
          <img
            src={picture.url}
            alt={alt}
            width={width}
            height={height}
            decoding="async"
            onError={onError}
          />
        </button>
      )}
    </div>
  );
}

/** The picture itself; its small copy where the link to it leads nowhere, as without a network. */
function useShownPicture(record: GenerationRecord) {
  const original = usePicture(record, 'original');
  const small = usePicture(record, 'thumbnail');
  const [failedUrls, setFailedUrls] = useState<readonly string[]>([]);
  const isFailing = ({ url }: Picture) => url !== undefined && failedUrls.includes(url);
  const picture = isFailing(original) ? small : original;
  return {
    picture,
    isFailed: picture.state === 'missing' || isFailing(picture),
    onError: () => setFailedUrls((before) => [...before, picture.url ?? '']),
  };
}
