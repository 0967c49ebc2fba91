/** The door of this module: what the rest of the server may use of it. */
export { coverVariants, coverVersion, createCovers, type Covers } from './covers.ts';
export { createEnhancement, type Enhancement } from './enhancement.ts';
export { createGenerationJobs, type GenerationJobs } from './generation-jobs.ts';
export { createGenerations, type Generations } from './generations.ts';
export { createHubPictures, type HubPictureService, type HubPictures } from './hub-pictures.ts';
export { createJobPictures } from './job-pictures.ts';
export { createKeptMakings } from './kept-makings.ts';
export { createKusa, kusaPictureVersion, type Kusa } from './kusa.ts';
export { createMediaFiles, type MediaFiles } from './media-files.ts';
export { createMediaLinks, type MediaLinks } from './media-links.ts';
export { createModels, type Models } from './models.ts';
export { createPaintings } from './paintings.ts';
export { createPictureDownloads, type PictureDownloads } from './picture-downloads.ts';
export { sweepPictures } from './picture-sweep.ts';
export { createPictures, type Pictures } from './pictures.ts';
export { type ListedGeneration } from '#server/db/generations';
export { type JobRecipe } from '#server/db/generation-jobs';
