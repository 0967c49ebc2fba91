/** The device's copies of pictures: the original, and a thumbnail for lists. */
import { useEffect, useState } from 'react';

import { saveFile, listFiles, readFile, removeFiles } from '#lib/device-files';
import { resolveLink } from '#lib/fetch-file';
import { noticeMs, useNotices } from '#lib/notices';

import { type GenerationRecord, getRecordId, getRecords } from './records.ts';
import { pictureTexts } from './texts.ts';

type Variant = 'thumbnail' | 'original';

/** The longer side of a thumbnail, in pixels. */
const thumbnailSide = 512;
/** Another tab keeps a picture's files shortly before it writes the record. */
const youngMs = 60_000;

const fileKey = (id: string, variant: Variant) => `${id}/${variant}`;

/** Keeps a picture and its thumbnail. Returns the picture's pixels when the browser can read it. */
export async function keepPicture(
  id: string,
  file: Blob,
): Promise<{ readonly width?: number; readonly height?: number }> {
  const { thumbnail, size } = await shrink(file);
  // The thumbnail first: lists show it, and it nearly always fits.
  const places = [
    ...(thumbnail ? [await keepWithRoom(fileKey(id, 'thumbnail'), thumbnail)] : []),
    await keepWithRoom(fileKey(id, 'original'), file),
  ];
  if (places.some((place) => place !== 'device')) {
    notify(places.includes('full') ? pictureTexts.noRoom : pictureTexts.notLasting);
  }
  return size ?? {};
}

type LocalPicture = {
  readonly file: Blob;
  /** Only the thumbnail is here, although the original was asked for. */
  readonly isStandIn: boolean;
};

/** The device's copy in this variant, else in the other one. */
async function readPicture(id: string, variant: Variant): Promise<LocalPicture | undefined> {
  const other = variant === 'original' ? 'thumbnail' : 'original';
  const file = await readFile(fileKey(id, variant));
  if (file) {
    return { file, isStandIn: false };
  }
  const standIn = await readFile(fileKey(id, other));
  return standIn && { file: standIn, isStandIn: other === 'thumbnail' };
}

/** The best copy: the device's, else the server's link, else a thumbnail instead of the original. */
export async function findPicture(
  id: string,
  variant: Variant,
  getLink: () => string | undefined | Promise<string | undefined>,
): Promise<Blob | string | undefined> {
  const local = await readPicture(id, variant);
  return local?.isStandIn === false ? local.file : ((await getLink()) ?? local?.file);
}

export function readOriginal(id: string): Promise<Blob | undefined> {
  return readFile(fileKey(id, 'original'));
}

export type Picture =
  | { readonly state: 'loading'; readonly url?: undefined }
  | { readonly state: 'ready'; readonly url: string }
  /** Neither on the device nor on the server. */
  | { readonly state: 'missing'; readonly url?: undefined };

const loading: Picture = { state: 'loading' };
const missing: Picture = { state: 'missing' };

/** The picture of a finished record, for an `<img>`. Its URL is valid while the component is mounted. */
export function usePicture(record: GenerationRecord, variant: Variant): Picture {
  const { id, status, imageUrl, thumbnailUrl } = record;
  const link = variant === 'thumbnail' ? (thumbnailUrl ?? imageUrl) : imageUrl;
  const remoteUrl = link === undefined ? undefined : resolveLink(link);
  const [local, setLocal] = useState<{
    readonly key: string;
    /** Undefined when the device has no copy. */
    readonly url: string | undefined;
    readonly isStandIn: boolean;
  }>();
  const key = `${id}/${variant}/${status}`;

  useEffect(() => {
    let isShown = true;
    let url: string | undefined;
    const show = async () => {
      const found = await readPicture(id, variant);
      if (isShown) {
        url = found && URL.createObjectURL(found.file);
        setLocal({ key, url, isStandIn: found?.isStandIn === true });
      }
    };
    void show();
    return () => {
      isShown = false;
      if (url !== undefined) {
        URL.revokeObjectURL(url);
      }
    };
  }, [id, variant, key]);

  if (local?.key !== key) {
    return loading;
  }
  const url = local.isStandIn ? (remoteUrl ?? local.url) : (local.url ?? remoteUrl);
  return url === undefined ? missing : { state: 'ready', url };
}

/** Removes all files of these records. */
export async function removePictures(ids: readonly string[]): Promise<void> {
  const removed = new Set(ids);
  await removeWhere((recordId) => removed.has(recordId));
}

/** Removes files without a record, which a page leaves when it is closed while deleting. */
export async function removeOrphans(): Promise<void> {
  const known = new Set(getRecords().map(({ id }) => id));
  await removeWhere(
    (recordId, { keptAt }) => !known.has(recordId) && Date.now() - keptAt > youngMs,
  );
}

type KeptFile = Awaited<ReturnType<typeof listFiles>>[number];

async function removeWhere(isGone: (recordId: string, file: KeptFile) => boolean): Promise<void> {
  const files = await listFiles();
  await removeFiles(
    files.filter((file) => isGone(parseRecordId(file.key), file)).map(({ key }) => key),
  );
}

function parseRecordId(key: string): string {
  return getRecordId(key.slice(0, key.lastIndexOf('/')));
}

/** When the device is full, removes the oldest originals, those that the server has first. */
async function keepWithRoom(key: string, file: Blob): Promise<'device' | 'memory' | 'full'> {
  const place = await saveFile(key, file);
  if (place !== 'full') {
    return place;
  }
  const records = new Map(getRecords().map((record) => [record.id, record]));
  const originals = (await listFiles()).filter(
    (row) => row.key.endsWith('/original') && row.key !== key,
  );
  const isSaved = (row: KeptFile) => records.get(parseRecordId(row.key))?.remoteId !== undefined;
  const candidates = [...originals.filter(isSaved), ...originals.filter((row) => !isSaved(row))];
  let freed = 0;
  const victims: string[] = [];
  for (const row of candidates) {
    if (freed >= 2 * file.size) {
      break;
    }
    freed += row.size;
    victims.push(row.key);
  }
  if (victims.length === 0) {
    return 'full';
  }
  await removeFiles(victims);
  notify(pictureTexts.madeRoom(victims.length));
  return saveFile(key, file);
}

function notify(text: string): void {
  useNotices
    .getState()
    .show({ id: 'picture-storage', tone: 'warning', text, durationMs: noticeMs.long });
}

/** The thumbnail and the picture's pixels; neither when the browser cannot read the picture. */
async function shrink(file: Blob): Promise<{
  readonly thumbnail?: Blob;
  readonly size?: { readonly width: number; readonly height: number };
}> {
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    const scale = Math.min(1, thumbnailSide / Math.max(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const thumbnail = await new Promise<Blob | null>((done) => {
      canvas.toBlob(done, 'image/webp', 0.82);
    });
    return { size: { width, height }, ...(thumbnail ? { thumbnail } : {}) };
  } catch {
    // An old web view: lists then show the original.
    return {};
  }
}
