/** Saves a picture as a file, or opens it in a tab. Telegram's containers save only HTTPS links. */
import { useEffect } from 'react';
import * as v from 'valibot';
import { create } from 'zustand';

import { readJob } from '#contract/endpoints/images';
import { downloadMidjourney } from '#contract/endpoints/midjourney';
import { backendUrl, call } from '#lib/api';
import { fetchFile, resolveLink } from '#lib/fetch-file';
import { useNotices } from '#lib/notices';
import { getPlatform } from '#lib/platform';
import { onUserLeft } from '#lib/session';
import { storedValue } from '#lib/storage';

import { hasJobs } from './generation-request.ts';
import { logFailure } from './log-failure.ts';
import { findPicture, readOriginal } from './pictures.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { type GenerationRecord } from './records.ts';
import { pictureTexts } from './texts.ts';

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};
/** Enough for a browser to begin reading the URL. */
const revokeAfterMs = 60_000;

const storedKeeping = storedValue('nori_keeps_recipe', v.boolean());

/** Whether files that leave the app say how their picture was made. */
export const useKeepsRecipe = create(() => ({ keepsRecipe: true }));

if (typeof window !== 'undefined') {
  const load = () => useKeepsRecipe.setState({ keepsRecipe: storedKeeping.read() ?? true });
  load();
  storedKeeping.onChangedElsewhere(load);
  onUserLeft(load);
}

export function keepRecipes(keepsRecipe: boolean): void {
  useKeepsRecipe.setState({ keepsRecipe });
  storedKeeping.write(keepsRecipe ? undefined : false);
}

/** Model ID plus a timestamp, without characters that file systems reject. */
export function modelAndTime({ modelId, timestamp }: GenerationRecord): string {
  const when = new Date(timestamp).toISOString().replaceAll(/[:.]/g, '-').replace('Z', '');
  const model = modelId.replaceAll(/[^\w.-]+/g, '-').slice(0, 60) || 'picture';
  return `${model}-${when}`;
}

/** The name of a picture's file, with its extension. */
export function getFileName(
  { fileName }: ProviderAdapter,
  picture: GenerationRecord,
  type = 'image/png',
): string {
  return `${fileName(picture)}.${extensions[type] ?? 'png'}`;
}

/** Resolves to false when there is no picture to save, or the platform refused. */
export async function downloadPicture(
  adapter: ProviderAdapter,
  picture: GenerationRecord,
): Promise<boolean> {
  const platform = getPlatform();
  const found = platform.savesBlobs
    ? await findBest(adapter, picture)
    : await (getPreparedLink(picture) ?? fetchLink(picture));
  const best = found instanceof Blob ? await toWantedFile(found) : found;
  if (best === undefined) {
    return false;
  }
  if (best instanceof Blob) {
    const url = URL.createObjectURL(best);
    setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
    return platform.download({ url, name: getFileName(adapter, picture, best.type) });
  }
  const url = new URL(resolveLink(toWantedLink(best)), window.location.href);
  const isOurs = url.origin === window.location.origin;
  if (platform.savesBlobs && !isOurs) {
    // A browser would leave the app for a file of another host.
    platform.openLink(url.href);
    return true;
  }
  if (isOurs) {
    // Has our server answer with a file to save.
    url.searchParams.set('download', '1');
  }
  return platform.download({ url: url.href, name: getFileName(adapter, picture) });
}

/** The file as the user wants it: with its recipe or without. Undefined when it cannot be had without. */
export async function toWantedFile(file: Blob): Promise<Blob | undefined> {
  if (useKeepsRecipe.getState().keepsRecipe) {
    return file;
  }
  const { withoutRecipe } = await import('#contract/images/recipe-file');
  const bytes = withoutRecipe(new Uint8Array(await file.arrayBuffer()));
  return bytes && new Blob([bytes], { type: file.type });
}

/** The same for a link to the file. */
function toWantedLink(found: string): string {
  if (useKeepsRecipe.getState().keepsRecipe) {
    return found;
  }
  // Where files are elsewhere, the server fetches them.
  const link = isElsewhere(found)
    ? `${backendUrl}${downloadMidjourney.path}?url=${encodeURIComponent(resolveLink(found))}`
    : found;
  return `${link}${link.includes('?') ? '&' : '?'}recipe=none`;
}

/** The picture's file, or the server's link to it. */
async function findBest(
  { fetchForDownload }: ProviderAdapter,
  picture: GenerationRecord,
): Promise<Blob | string | undefined> {
  const { id, imageUrl } = picture;
  const fetched = imageUrl === undefined ? undefined : await fetchForDownload?.(imageUrl);
  const found = fetched ?? (await findPicture(id, 'original', () => fetchLink(picture)));
  // A page can name the file only when it has it, or when it is on the page's own origin.
  return typeof found === 'string' && isElsewhere(found)
    ? ((await fetchFile(found)) ?? found)
    : found;
}

/**
 * The file itself, as the user wants it: the device's, else what the server gives. Undefined when neither can be had.
 * Never rejects.
 */
export async function readPictureFile(
  { fetchForDownload }: ProviderAdapter,
  picture: GenerationRecord,
): Promise<Blob | undefined> {
  const { id, imageUrl } = picture;
  try {
    const here = await readOriginal(id);
    const fetched =
      here ?? (imageUrl === undefined ? undefined : await fetchForDownload?.(imageUrl));
    if (fetched) {
      return await toWantedFile(fetched);
    }
    const link = await fetchLink(picture);
    const file = link === undefined ? undefined : await fetchFile(link);
    // Some servers answer with a page that says the file is gone.
    return file?.type.startsWith('image/') === true ? await toWantedFile(file) : undefined;
  } catch {
    return undefined;
  }
}

function isElsewhere(link: string): boolean {
  const { origin, href } = window.location;
  return new URL(resolveLink(link), href).origin !== origin;
}

/** Links of jobs' results, by the ids of their records. */
const preparedLinks = new Map<
  string,
  { readonly link: Promise<string | undefined>; readonly at: number }
>();
/** Shorter than any link is valid. */
const preparedMs = 10 * 60_000;

function getPreparedLink({ id }: GenerationRecord): Promise<string | undefined> | undefined {
  const prepared = preparedLinks.get(id);
  return prepared && Date.now() - prepared.at < preparedMs ? prepared.link : undefined;
}

/**
 * Fetches the link of a shown picture before the user presses Download: Telegram for Android ignores
 * requests for downloads that come more than 10 s after the last press.
 */
export function usePreparedDownload(record: GenerationRecord | undefined): void {
  useEffect(() => {
    const isNeeded =
      record?.status === 'completed' &&
      record.imageUrl === undefined &&
      record.jobKey !== undefined;
    if (isNeeded && !getPlatform().savesBlobs && getPreparedLink(record) === undefined) {
      const link = fetchLink(record);
      preparedLinks.set(record.id, { link, at: Date.now() });
      // Download asks again for a link that could not be had.
      void link.then((found) => found === undefined && preparedLinks.delete(record.id));
    }
  }, [record]);
}

/** The server's link to the saved picture, or to the result of the job that made it. */
async function fetchLink({ imageUrl, jobKey }: GenerationRecord): Promise<string | undefined> {
  if (imageUrl !== undefined || jobKey === undefined) {
    return imageUrl;
  }
  try {
    if (!(await hasJobs())) {
      return undefined;
    }
    const { image_url } = await call(readJob, { job_key: jobKey });
    return image_url;
  } catch (error) {
    logFailure(pictureTexts.notDownloaded, error);
    return undefined;
  }
}

/** Only these types open at our own origin: an HTML page of another backend must not run there. */
const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif']);

/** Opens the full picture in a new tab; inside Telegram, which has no tabs, saves it. Resolves to whether that worked. */
export async function openPicture(
  adapter: ProviderAdapter,
  record: GenerationRecord,
): Promise<boolean> {
  const platform = getPlatform();
  if (!platform.savesBlobs || !useKeepsRecipe.getState().keepsRecipe) {
    return downloadPicture(adapter, record);
  }
  // Before anything is awaited: a browser blocks tabs that open later than the click.
  const tab = window.open('', '_blank');
  if (!tab) {
    return downloadPicture(adapter, record);
  }
  tab.opener = null;
  const link = () => webAddress(record.imageUrl);
  const best = await findPicture(record.id, 'original', link);
  const url =
    best instanceof Blob && pictureTypes.has(best.type)
      ? // Never revoked: the tab reads it again when the user saves the picture.
        URL.createObjectURL(best)
      : link();
  if (url === undefined) {
    tab.close();
    return false;
  }
  tab.location.replace(url);
  return true;
}

/** The absolute URL; undefined for other protocols than HTTP(S), such as `javascript:`. */
function webAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url, window.location.href)) {
    return undefined;
  }
  const { href, protocol } = new URL(resolveLink(url), window.location.href);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

/** Shows a notice when a picture could not be opened or saved. */
export async function notifyIfDownloadFailed(download: Promise<boolean>): Promise<void> {
  if (!(await download)) {
    useNotices.getState().show({
      id: 'not-downloaded',
      tone: 'error',
      text: pictureTexts.notDownloaded,
    });
  }
}
