/** Pictures enlarged over the page, one beside the other. */
import { type ReactNode } from 'react';

import { historyTexts } from '../history/texts.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { usePicture } from '../shared/use-picture.ts';
import { LargePicture } from './large-picture.tsx';
import { Lightbox } from './lightbox.tsx';

type PicturesLightboxProps = {
  /** One record for each picture. */
  readonly pictures: readonly GenerationRecord[];
  readonly shown: GenerationRecord;
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
  readonly caption: string;
  /** What can be done with the shown picture: icon buttons. */
  readonly actions?: ReactNode;
};

export function PicturesLightbox({ pictures, shown, ...rest }: PicturesLightboxProps) {
  return (
    <Lightbox
      {...rest}
      ids={pictures.map(({ id }) => id)}
      shownId={shown.id}
      renderPicture={(id) => {
        const picture = pictures.find((one) => one.id === id);
        return picture && <RecordPicture record={picture} />;
      }}
    />
  );
}

function RecordPicture({ record }: { readonly record: GenerationRecord }) {
  const thumbnail = usePicture(record, 'thumbnail');
  const original = usePicture(record, 'original');
  return (
    <LargePicture
      alt={historyTexts.card.alt(record.prompt)}
      url={original.url}
      thumbnailUrl={thumbnail.url}
      isMissing={original.state === 'missing'}
    />
  );
}
