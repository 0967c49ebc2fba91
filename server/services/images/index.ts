/** Puts the image services together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type Limiter } from '#server/services/limiter';
import { type Usage } from '#server/services/usage';
import { connectEngines, connectModels } from '#server/upstream/images/engines';
import { type Erasure } from '#services/accounts';

import { createCovers, createKusa, createPaintings } from './covers.ts';
import { createEnhancement } from './enhancement.ts';
import { createGenerationJobs } from './generation-jobs.ts';
import { createGenerationResults } from './generation-results.ts';
import { createGenerationArchive, createGenerations } from './generations.ts';
import { createModels } from './models.ts';
import {
  createJobPictures,
  createMediaLinks,
  createPictures,
  jobObject,
  pictureObjects,
} from './pictures.ts';
import { createPictureStorage } from './storage.ts';
import {
  createMediaFiles,
  createPictureDownloads,
  createRenditions,
  createUploads,
} from './uploads.ts';

type Tools = {
  readonly limiter: Limiter;
  readonly usage: Usage;
  readonly erasure: Erasure;
};

export function createImages(deps: Dependencies, { limiter, usage, erasure }: Tools) {
  const engines = { ...connectEngines(deps.env, deps.paint), ...deps.engines };
  const jobPictures = createJobPictures(deps);
  const mediaLinks = createMediaLinks(deps);
  const storage = createPictureStorage(deps);
  const pictures = createPictures(deps, { store: deps.objects, links: mediaLinks, storage });
  const readRendition = createRenditions(deps, { pictures });
  const mediaFiles = createMediaFiles({ pictures, jobPictures, links: mediaLinks, readRendition });
  const generations = createGenerations(deps, { limiter, pictures });
  const archive = createGenerationArchive(deps, { generations });
  const jobs = createGenerationJobs(deps, {
    limiter,
    usage,
    jobPictures,
    archive,
    engines,
    storage,
    pictures,
  });
  const paintings = createPaintings(deps.objects);
  const uploads = createUploads({ store: deps.objects, storage, limiter, log: deps.log });
  erasure.join({
    settle: async (telegramId) => {
      await jobs.cancelAll(telegramId);
      await uploads.dropAll(telegramId);
    },
    listObjects: ({ pictureIds, jobPictureIds }) => [
      ...pictureIds.flatMap(pictureObjects),
      ...jobPictureIds.map(jobObject),
    ],
  });
  return {
    engines,
    generationJobs: jobs,
    generationResults: createGenerationResults(deps, {
      engines,
      jobs,
      generations,
      pictures,
      links: mediaLinks,
    }),
    generations,
    uploads,
    storage,
    mediaLinks,
    pictures,
    mediaFiles,
    readRendition,
    pictureDownloads: createPictureDownloads(deps, { mediaFiles }),
    kusa: createKusa(deps, { paintings }),
    covers: createCovers(paintings),
    models: createModels(deps, connectModels(deps.env)),
    enhancement: createEnhancement(deps, limiter),
  };
}

export {
  coverVariants,
  coverVersion,
  createCovers,
  createPaintings,
  kusaPictureVersion,
} from './covers.ts';
export * as pictureTextModule from './texts.ts';
export { toFailureRefusal } from './generation-jobs.ts';
export { type GenerationResult, toRecipe } from './generation-results.ts';
export { removeOldJobs, removeOldPictures } from './pictures.ts';
export { type ListedGeneration } from '#server/db/generations';
export { type JobRecipe } from '#server/db/generation-jobs';
