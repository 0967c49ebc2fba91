/** The device's own copies of pictures: the file itself, and a small one for grids. */
import { keepFile, listFiles, readFile, removeFiles } from '#lib/kept-files';
import { noticeMs, useNotices } from '#lib/notices';

import { pictureTexts } from './picture-texts.ts';
import { getRecords } from './records-store.ts';
import { type GenerationRecord, getRecordId } from './records.ts';

export type Variant = 'thumbnail' | 'original';

/** The longer side of a small copy, in pixels. */
const thumbnailSide = 512;
/** Another tab may be keeping the pictures of a record that it is about to write. */
const youngMs = 60_000;

const fileKey = (id: string, variant: Variant) => `${id}/${variant}`;

/** Keeps a picture and a small copy of it. Answers its pixels, when the browser can tell. */
export async function keepPicture(
  id: string,
  file: Blob,
): Promise<{ readonly width?: number; readonly height?: number }> {
  const { small, size } = await shrink(file);
  // The small one first: it is what lists show, and it nearly always fits.
  const places = [
    ...(small ? [await keepWithRoom(fileKey(id, 'thumbnail'), small)] : []),
    await keepWithRoom(fileKey(id, 'original'), file),
  ];
  if (places.some((place) => place !== 'device')) {
    tellOnce(places.includes('full') ? pictureTexts.noRoom : pictureTexts.notLasting);
  }
  return size ?? {};
}

/** What the device has of a picture. */
type LocalPicture = {
  readonly file: Blob;
  /** A small copy where the full picture is wanted: whoever has a link to that is better off. */
  readonly isStandIn: boolean;
};

/** The device's copy; a small one may be missing where the full one is there, and the other way round. */
export async function readPicture(id: string, variant: Variant): Promise<LocalPicture | undefined> {
  const [wanted, other] =
    variant === 'original'
      ? (['original', 'thumbnail'] as const)
      : (['thumbnail', 'original'] as const);
  const file = await readFile(fileKey(id, wanted));
  if (file) {
    return { file, isStandIn: false };
  }
  const standIn = await readFile(fileKey(id, other));
  return standIn && { file: standIn, isStandIn: other === 'thumbnail' };
}

/**
 * The best there is, in this order: the device's copy, the server's link, which is asked for only
 * when it is needed, and a small copy in place of the full picture.
 */
export async function findPicture(
  id: string,
  variant: Variant,
  getLink: () => string | undefined | Promise<string | undefined>,
): Promise<Blob | string | undefined> {
  const local = await readPicture(id, variant);
  return local?.isStandIn === false ? local.file : ((await getLink()) ?? local?.file);
}

/** The full picture, and nothing smaller in its place. */
export function readOriginal(id: string): Promise<Blob | undefined> {
  return readFile(fileKey(id, 'original'));
}

/** Removes all pictures of these records. */
export async function removePictures(ids: readonly string[]): Promise<void> {
  const gone = new Set(ids);
  await removeWhere((recordId) => gone.has(recordId));
}

/** Removes files whose record is gone: what a page that was closed in between has left. */
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

/** When the device is full, the oldest full pictures make room: first those that the server has, too. */
async function keepWithRoom(key: string, file: Blob): Promise<'device' | 'memory' | 'full'> {
  const place = await keepFile(key, file);
  if (place !== 'full') {
    return place;
  }
  const records = new Map(getRecords().map((record) => [record.id, record]));
  const originals = (await listFiles()).filter(
    (row) => row.key.endsWith('/original') && row.key !== key,
  );
  const isSaved = (row: { readonly key: string }) =>
    records.get(parseRecordId(row.key))?.remoteId !== undefined;
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
  tellOnce(pictureTexts.madeRoom(victims.length));
  return keepFile(key, file);
}

function tellOnce(text: string): void {
  useNotices
    .getState()
    .show({ id: 'picture-storage', tone: 'warning', text, durationMs: noticeMs.long });
}

/** A small copy, and the pixels of the picture. Neither where the browser cannot read it. */
async function shrink(file: Blob): Promise<{
  readonly small?: Blob;
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
    const small = await new Promise<Blob | null>((done) => {
      canvas.toBlob(done, 'image/webp', 0.82);
    });
    return { size: { width, height }, ...(small ? { small } : {}) };
  } catch {
    // An old web view: lists then show the picture itself.
    return {};
  }
}

/** Whether a record's picture can be had from the server without asking for it again. */
export function remoteUrl(record: GenerationRecord, variant: Variant): string | undefined {
  return variant === 'thumbnail' ? (record.thumbnailUrl ?? record.imageUrl) : record.imageUrl;
}
