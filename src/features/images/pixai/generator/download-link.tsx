/** A link that saves the picture as a file, by the container's own way. */
import { Download } from 'lucide-react';

import { downloadPicture, fileNameOf } from '../../common/download-picture.ts';
import { type GenerationRecord } from '../../common/records.ts';
import { usePicture } from '../../common/use-picture.ts';
import { sayUnlessSaved } from '../../history/open-picture.ts';
import { generatorTexts } from './texts.ts';

import styles from './result-panel.module.css';

export function DownloadLink({ record }: { readonly record: GenerationRecord }) {
  const { url } = usePicture(record, 'original');
  return (
    // A real address, so that the picture can be saved or opened the browser's own ways, too.
    <a
      href={url ?? '#'}
      download={fileNameOf(record)}
      className={styles.download}
      onClick={(event) => {
        event.preventDefault();
        void sayUnlessSaved(downloadPicture(record));
      }}
    >
      <Download aria-hidden size={18} />
      {generatorTexts.result.download}
    </a>
  );
}
