/** The full picture in a tab of its own, where it can be looked at and saved. */
import { getPlatform } from '#lib/platform';

import { downloadPicture } from '../shared/download-picture.ts';
import { findPicture } from '../shared/pictures.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord } from '../shared/records.ts';

/** Only these are shown from our own address: a page of a foreign backend must not run there. */
const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif']);

/** Opens it; inside Telegram, which has no tabs, it is saved. Resolves to whether that went well. */
export async function openPicture(
  adapter: ProviderAdapter,
  record: GenerationRecord,
): Promise<boolean> {
  const platform = getPlatform();
  if (!platform.savesBlobs) {
    return downloadPicture(adapter, record);
  }
  // At once: a browser blocks tabs that open when the click is long over.
  const tab = window.open('', '_blank');
  if (!tab) {
    return downloadPicture(adapter, record);
  }
  tab.opener = null;
  const link = () => webAddress(record.imageUrl);
  const best = await findPicture(record.id, 'original', link);
  const url =
    best instanceof Blob && pictureTypes.has(best.type)
      ? // Never revoked: the tab reads it again when the picture is saved there.
        URL.createObjectURL(best)
      : link();
  if (url === undefined) {
    tab.close();
    return false;
  }
  tab.location.replace(url);
  return true;
}

/** Absolute, and only of the web: nothing else may come from a server. */
function webAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url, window.location.href)) {
    return undefined;
  }
  const { href, protocol } = new URL(url, window.location.href);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
