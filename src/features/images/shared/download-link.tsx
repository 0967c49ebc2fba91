/** A link that saves the picture as a file, by the container's own way. */
import { Download } from 'lucide-react';

import { downloadPicture, getFileName } from './download-picture.ts';
import { pictureTexts } from './picture-texts.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { type GenerationRecord } from './records.ts';
import { notifyIfDownloadFailed } from './say-unless-saved.ts';
import { usePicture } from './use-picture.ts';

import styles from './result.module.css';

type DownloadLinkProps = { readonly adapter: ProviderAdapter; readonly record: GenerationRecord };

export function DownloadLink({ adapter, record }: DownloadLinkProps) {
  const { url } = usePicture(record, 'original');
  return (
    // A real address, so that the picture can be saved or opened the browser's own ways, too.
    <a
      href={url ?? '#'}
      download={getFileName(adapter, record)}
      className={styles.download}
      onClick={(event) => {
        event.preventDefault();
        void notifyIfDownloadFailed(downloadPicture(adapter, record));
      }}
    >
      <Download aria-hidden size={18} />
      {pictureTexts.download}
    </a>
  );
}
