/** Makes pictures by MidJourney: several from each prompt. The server saves them by the same call. */
import { listGenerationUrls } from '#contract/endpoints/generations';
import {
  deleteMidjourney,
  downloadMidjourney,
  generateMidjourney,
  listMidjourneyHistory,
  midjourneyDeletion,
} from '#contract/endpoints/midjourney';
import { ApiError, call, errorText } from '#lib/api';
import { fetchFile } from '#lib/fetch-file';

import { logFailure } from '../shared/log-failure.ts';
import { type MadePictures, type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type Recipe } from '../shared/recipe.ts';
import { type GenerationRecord, getPictureIndex } from '../shared/records.ts';
import { getRemoteId, readSavedRecord } from '../shared/saved-records.ts';
import { failureTexts, pictureTexts } from '../shared/texts.ts';

/** Characters of the prompt in a file's name. */
const prefixLength = 20;

export const midjourneyAdapter: ProviderAdapter = {
  id: 'midjourney',
  tag: 'midjourney',
  hasPlaceholders: true,
  requestPictures,
  describeFailure: (error) => errorText(error, failureTexts.notGenerated),
  list: async (telegramId, signal) =>
    (await readList(signal)).flatMap((item) =>
      readSavedRecord(item, { provider: 'midjourney', telegramId }),
    ),
  fileName,
  fetchForDownload: downloadByServer,
  deletion: {
    remove: (id) => call(deleteMidjourney, { id }),
    capability: midjourneyDeletion,
  },
};

async function requestPictures(
  { prompt }: Recipe,
  jobKey: string | undefined,
): Promise<MadePictures> {
  const made = await call(generateMidjourney, { prompt, job_key: jobKey });
  const { s3_urls: urls, engine } = made;
  return {
    files: await Promise.all(urls.map(fetchPicture)),
    facts: {
      remoteId: getRemoteId(made),
      imageUrl: urls[0],
      imageUrls: urls.length > 1 ? urls : undefined,
      engine,
    },
  };
}

/** The server fetches the pictures of hosts that do not allow this page to read them. */
async function fetchPicture(url: string): Promise<Blob | undefined> {
  return (await fetchFile(url)) ?? (await downloadByServer(url));
}

/** The bytes of a picture by the server's download call; undefined when it refuses. */
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

/** The beginning of the prompt, without characters that file systems reject, and the picture's number. */
function fileName({ id, prompt }: GenerationRecord): string {
  const prefix = prompt.slice(0, prefixLength).replaceAll(/[^\p{Letter}\p{Number}]+/gu, '_');
  return `${prefix}_${getPictureIndex(id) + 1}`;
}

/** Some backends have no list of these pictures, but one of all pictures. */
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
