import { type Dependencies } from '#server/app/dependencies';
/** Keeps what was made for a member in their account, where nobody has to send it here first. */
import { type GenerationJob } from '#server/db/generation-jobs';
import { type ListedGeneration } from '#server/db/generations';

import { type Generations } from './generations.ts';

export type KeptMakings = ReturnType<typeof createKeptMakings>;

export function createKeptMakings(
  { log }: Pick<Dependencies, 'log'>,
  { generations }: { readonly generations: Generations },
) {
  async function find({
    owner,
    key,
  }: Pick<GenerationJob, 'owner' | 'key'>): Promise<ListedGeneration | undefined> {
    return owner === undefined ? undefined : generations.findByKey(owner, key);
  }

  return {
    find,

    /**
     * Keeps the pictures of a member's job, once. Answers false for a guest's, and when there is no
     * room: they can then still be had by the job, as everything that was made.
     */
    async keep(job: GenerationJob, files: readonly Buffer[]): Promise<boolean> {
      const { owner, provider, key, recipe, seed } = job;
      if (owner === undefined) {
        return false;
      }
      try {
        await generations.keep(owner, files, {
          provider,
          modelId: recipe.modelId,
          modelName: '',
          style: recipe.style,
          prompt: recipe.prompt,
          negativePrompt: recipe.negativePrompt,
          seed,
          ratio: recipe.ratio,
          nsfw: recipe.nsfw,
          jobKey: key,
          tags: undefined,
          loras: undefined,
        });
        return true;
      } catch (error) {
        log.warn({ err: error }, 'finished pictures could not be kept');
        return false;
      }
    },

    /** Of a job that was cancelled in the last moment. */
    async forget(job: Pick<GenerationJob, 'owner' | 'key'>): Promise<void> {
      const found = await find(job);
      if (found) {
        await generations.remove(found.telegramId, found.id);
      }
    },
  };
}
