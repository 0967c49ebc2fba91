/** How MidJourney makes pictures: several from each prompt, saved by the same call. */
import { listGenerationUrls } from '#contract/endpoints/generations';
import {
  downloadMidjourney,
  generateMidjourney,
  listMidjourneyHistory,
} from '#contract/endpoints/midjourney';
import { ApiError, call, errorText } from '#lib/api';
import { fetchFile } from '#lib/fetch-file';

import { logFailure } from '../shared/log-failure.ts';
import { pictureTexts } from '../shared/picture-texts.ts';
import { type Made, type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type Recipe } from '../shared/recipe.ts';
import { type GenerationRecord, getPictureIndex } from '../shared/records.ts';
import { readSavedUrls } from '../shared/saved-urls.ts';
import { whereKept } from '../shared/where-kept.ts';
import { midjourneyFailures } from './kit-texts.ts';

/** Characters of the prompt in a file's name. */
const prefixLength = 20;

export const midjourneyAdapter: ProviderAdapter = {
  id: 'midjourney',
  tag: 'midjourney',
  hasPlaceholders: true,
  ask,
  sayFailure: (error) => errorText(error, midjourneyFailures.failed),
  list: async (telegramId, signal) =>
    (await readList(signal)).flatMap((item) =>
      readSavedUrls(item, { provider: 'midjourney', telegramId }),
    ),
  fileName,
  fetchForDownload: downloadByServer,
  deletesThere: false,
};

async function ask({ prompt }: Recipe, jobKey: string): Promise<Made> {
  const made = await call(generateMidjourney, { prompt, job_key: jobKey });
  const { s3_urls, engine } = made;
  return {
    files: await Promise.all(s3_urls.map(fetchPicture)),
    facts: {
      ...whereKept(made),
      ...(s3_urls[0] === undefined ? {} : { imageUrl: s3_urls[0] }),
      ...(s3_urls.length > 1 ? { imageUrls: s3_urls } : {}),
      ...(engine === undefined ? {} : { engine }),
    },
  };
}

/** Another host may refuse its pictures to this page; the server then fetches them. */
async function fetchPicture(url: string): Promise<Blob | undefined> {
  return (await fetchFile(url)) ?? (await downloadByServer(url));
}

/** The bytes of a picture by the server's download call; undefined when it has none to give. */
async function downloadByServer(url: string): Promise<Blob | undefined> {
  try {
    const { blob } = await call(downloadMidjourney, { url });
    return blob;
  } catch (error) {
    if (error instanceof ApiError) {
      logFailure(pictureTexts.notDownloaded, error);
      return undefined;
    }
    throw error;
  }
}

/** The beginning of the prompt, with nothing that a file system minds, and the picture's number. */
function fileName({ id, prompt }: GenerationRecord): string {
  const prefix = prompt.slice(0, prefixLength).replaceAll(/[^\p{Letter}\p{Number}]+/gu, '_');
  return `${prefix}_${getPictureIndex(id) + 1}`;
}

/** Backends that have no list of its own keep these pictures among all others. */
async function readList(signal: AbortSignal): Promise<readonly unknown[]> {
  try {
    return (await call(listMidjourneyHistory, {}, signal)).generations;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) {
      throw error;
    }
    const { urls } = await call(listGenerationUrls, {}, signal);
    return urls.map((item) => Object.assign({}, item, { style: 'midjourney' }));
  }
}
