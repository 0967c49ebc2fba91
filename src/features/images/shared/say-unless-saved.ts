/** Tells the person when a picture could not be opened or saved. */
import { useNotices } from '#lib/notices';

import { pictureTexts } from './picture-texts.ts';

export async function notifyIfDownloadFailed(saving: Promise<boolean>): Promise<void> {
  if (!(await saving)) {
    useNotices.getState().show({
      id: 'not-downloaded',
      tone: 'error',
      text: pictureTexts.notDownloaded,
    });
  }
}
