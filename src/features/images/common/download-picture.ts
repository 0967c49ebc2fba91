/** Saving a picture as a file: by the container, which inside Telegram takes only HTTPS links. */
import { readJob } from '#contract/endpoints/images';
import { call } from '#lib/api';
import { getPlatform } from '#lib/platform';

import { readPicture } from './pictures.ts';
import { type GenerationRecord } from './records.ts';

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};
/** Long enough for a browser to begin reading what it was given. */
const revokeAfterMs = 60_000;

/** Model ID plus a timestamp, with nothing that a file system minds. */
export function fileNameOf({ modelId, timestamp }: GenerationRecord, type = 'image/png'): string {
  const when = new Date(timestamp).toISOString().replaceAll(/[:.]/g, '-').replace('Z', '');
  const model = modelId.replaceAll(/[^\w.-]+/g, '-').slice(0, 60) || 'picture';
  return `${model}-${when}.${extensions[type] ?? 'png'}`;
}

/** Saves the picture. Resolves to false when there is nothing to save, or the container refused. */
export async function downloadPicture(record: GenerationRecord): Promise<boolean> {
  const platform = getPlatform();
  const file = platform.savesBlobs ? await readPicture(record.id, 'original') : undefined;
  if (file) {
    const url = URL.createObjectURL(file);
    setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
    return platform.download({ url, name: fileNameOf(record, file.type) });
  }
  const link = await linkOf(record);
  return link === undefined
    ? false
    : platform.download({ url: asDownload(link), name: fileNameOf(record) });
}

/** Where the server has it: saved, or still at hand from making it. */
async function linkOf({ imageUrl, jobKey }: GenerationRecord): Promise<string | undefined> {
  if (imageUrl !== undefined || jobKey === undefined) {
    return imageUrl;
  }
  try {
    const { image_url } = await call(readJob, { job_key: jobKey });
    return image_url;
  } catch {
    return undefined;
  }
}

/** An absolute link that the server answers as a file to save. */
function asDownload(link: string): string {
  const url = new URL(link, window.location.href);
  if (url.origin === window.location.origin) {
    url.searchParams.set('download', '1');
  }
  return url.href;
}
