/** A picture as large as its place: its small copy first, until the full one can be shown. */
import { ImageOff } from 'lucide-react';
import { useState } from 'react';

import { Spinner } from '#ui/spinner';

import { historyTexts } from '../history/texts.ts';

import styles from './lightbox.module.css';

type LargePictureProps = {
  readonly alt: string;
  /** Undefined while it is not known, or when there is none. */
  readonly url: string | undefined;
  readonly thumbnailUrl?: string | undefined;
  /** The picture is nowhere to be found. */
  readonly isMissing?: boolean;
};

type Outcome = { readonly url: string; readonly isThere: boolean };

export function LargePicture({ alt, url, thumbnailUrl, isMissing = false }: LargePictureProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  const isKnown = url !== undefined && outcome?.url === url;
  const isLoaded = isKnown && outcome.isThere;
  const isFailed = isMissing || (isKnown && !outcome.isThere);

  return (
    <div className={styles.large}>
      {!isLoaded && <Meanwhile thumbnailUrl={thumbnailUrl} isFailed={isFailed} />}
      {url !== undefined && !isFailed && (
        <img
          src={url}
          alt={alt}
          draggable={false}
          onLoad={() => setOutcome({ url, isThere: true })}
          onError={() => setOutcome({ url, isThere: false })}
        />
      )}
    </div>
  );
}

function Meanwhile({
  thumbnailUrl,
  isFailed,
}: {
  readonly thumbnailUrl: string | undefined;
  readonly isFailed: boolean;
}) {
  if (thumbnailUrl !== undefined) {
    return <img src={thumbnailUrl} alt="" draggable={false} />;
  }
  return (
    <div className={styles.word}>
      {isFailed ? (
        <>
          <ImageOff aria-hidden size={32} />
          <p>{historyTexts.viewer.failed}</p>
        </>
      ) : (
        <Spinner label={historyTexts.viewer.loading} />
      )}
    </div>
  );
}
