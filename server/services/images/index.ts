/** Puts the image services together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type Limiter } from '#server/services/limiter';
import { type Usage } from '#server/services/usage';
import { connectEngines, connectModels } from '#server/upstream/images/engines';

import { createCovers } from './covers.ts';
import { createEnhancement } from './enhancement.ts';
import { createGenerationJobs } from './generation-jobs.ts';
import { createGenerations } from './generations.ts';
import { createHubPictures } from './hub-pictures.ts';
import { createJobPictures } from './job-pictures.ts';
import { createKeptMakings } from './kept-makings.ts';
import { createKusa } from './kusa.ts';
import { createMediaFiles } from './media-files.ts';
import { createMediaLinks } from './media-links.ts';
import { createModels } from './models.ts';
import { createPaintings } from './paintings.ts';
import { createPictureDownloads } from './picture-downloads.ts';
import { createPictures } from './pictures.ts';

type Tools = { readonly limiter: Limiter; readonly usage: Usage };

export function createImages(deps: Dependencies, { limiter, usage }: Tools) {
  const engines = { ...connectEngines(deps.env), ...deps.engines };
  const jobPictures = createJobPictures(deps.objects);
  const mediaLinks = createMediaLinks(deps);
  const pictures = createPictures(deps, { store: deps.objects, links: mediaLinks });
  const mediaFiles = createMediaFiles({ pictures, jobPictures, links: mediaLinks });
  const generations = createGenerations(deps, { limiter, pictures });
  const kept = createKeptMakings(deps, { generations });
  const generationJobs = createGenerationJobs(deps, {
    limiter,
    usage,
    pictures: jobPictures,
    kept,
    engines,
  });
  const paintings = createPaintings(deps.objects);
  return {
    engines,
    generationJobs,
    mediaLinks,
    pictures,
    mediaFiles,
    pictureDownloads: createPictureDownloads(deps, { mediaFiles }),
    generations,
    hubPictures: createHubPictures({
      jobs: generationJobs,
      generations,
      pictures,
      links: mediaLinks,
    }),
    kusa: createKusa(deps, { paintings }),
    models: createModels(deps, connectModels(deps.env)),
    covers: createCovers(paintings),
    enhancement: createEnhancement(deps, limiter),
  };
}

export { coverVariants, coverVersion, createCovers } from './covers.ts';
export { type HubPictures } from './hub-pictures.ts';
export { createJobPictures } from './job-pictures.ts';
export { kusaPictureVersion } from './kusa.ts';
export { createPaintings } from './paintings.ts';
export { sweepPictures } from './picture-sweep.ts';
export { type ListedGeneration } from '#server/db/generations';
export { type JobRecipe } from '#server/db/generation-jobs';
