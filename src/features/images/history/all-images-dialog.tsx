/** Everything that one wish has made: with its date, and each picture to enlarge and to download. */
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';

import { DownloadLink } from '../shared/download-link.tsx';
import { PictureFrame } from '../shared/picture-frame.tsx';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord, toPictures } from '../shared/records.ts';
import { historyTexts } from './texts.ts';

import styles from './all-images-dialog.module.css';

type AllImagesDialogProps = {
  readonly adapter: ProviderAdapter;
  readonly record: GenerationRecord;
  readonly onEnlarge: (id: string) => void;
  readonly onClose: () => void;
};

export function AllImagesDialog({ adapter, record, onEnlarge, onClose }: AllImagesDialogProps) {
  return (
    <Dialog
      title={historyTexts.all.title}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Button kind="quiet" onClick={onClose}>
          {historyTexts.details.close}
        </Button>
      }
    >
      <ul className={styles.images}>
        {toPictures(record).map((picture, index) => (
          <li key={picture.id} className={styles.image}>
            <PictureFrame
              record={picture}
              name={historyTexts.all.name(index + 1)}
              onEnlarge={() => onEnlarge(picture.id)}
            />
            <div className={styles.row}>
              <time dateTime={new Date(record.timestamp).toISOString()}>
                {historyTexts.moment(record.timestamp)}
              </time>
              <DownloadLink adapter={adapter} record={picture} />
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
