/** The pictures that a wish has made, to look at and to enlarge; several stand in a grid. */
import { useState } from 'react';

import { Lightbox } from '../lightbox/lightbox.tsx';
import { PictureFrame } from '../shared/picture-frame.tsx';
import { type GenerationRecord, toPictures } from '../shared/records.ts';
import { historyTexts } from './texts.ts';

import styles from '../shared/result.module.css';

type ResultPicturesProps = {
  readonly record: GenerationRecord;
  /** Said below an enlarged picture. */
  readonly caption: string;
};

export function ResultPictures({ record, caption }: ResultPicturesProps) {
  const [largeId, setLargeId] = useState<string>();
  const pictures = toPictures(record);
  const large = pictures.find(({ id }) => id === largeId);
  const isSeveral = pictures.length > 1;

  return (
    <>
      <div className={isSeveral ? styles.several : styles.single}>
        {pictures.map((picture, index) => (
          <PictureFrame
            key={picture.id}
            record={picture}
            {...(isSeveral ? { name: historyTexts.all.name(index + 1) } : {})}
            onEnlarge={() => setLargeId(picture.id)}
          />
        ))}
      </div>
      {large && (
        <Lightbox
          pictures={pictures}
          shown={large}
          onShow={setLargeId}
          onClose={() => setLargeId(undefined)}
          caption={caption}
        />
      )}
    </>
  );
}
