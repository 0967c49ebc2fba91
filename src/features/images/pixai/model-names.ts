/**
 * Names of models that this device knows and the server does not: told to it, so that the history
 * has them on every device. Nobody waits for it.
 */
import { updateGeneration, updateModelCache } from '#contract/endpoints/generations';
import { ApiError, call } from '#lib/api';

import { pictureTexts } from '../shared/picture-texts.ts';
import { type Pair } from '../shared/provider-adapter.ts';

type Outcome = { readonly status: 'ok' } | { readonly status: 'error'; readonly message: string };

/** A backend that takes no names would be told again with each reading. */
const told = new Set<string>();

async function toOutcome(asking: Promise<unknown>, message: string): Promise<Outcome> {
  try {
    await asking;
    return { status: 'ok' };
  } catch (error) {
    if (error instanceof ApiError) {
      return { status: 'error', message };
    }
    throw error;
  }
}

/** Names pictures, each once on this page. Never rejects for what the server refuses. */
export async function nameSavedPictures(pairs: readonly Pair[]): Promise<readonly Outcome[]> {
  const news = pairs.flatMap(({ here: { modelName }, there }) =>
    there.modelName === '' &&
    modelName !== '' &&
    there.remoteId !== undefined &&
    !told.has(there.remoteId)
      ? [{ saved: there, modelName }]
      : [],
  );
  for (const { saved } of news) {
    told.add(saved.remoteId ?? '');
  }
  if (news.length === 0) {
    return [];
  }
  const models = new Map(news.map(({ saved, modelName }) => [saved.modelId, modelName]));
  return Promise.all([
    toOutcome(
      call(updateModelCache, {
        models: [...models].map(([modelId, name]) => ({ modelId, name })),
      }),
      pictureTexts.modelCacheFailed,
    ),
    ...news.map(({ saved, modelName }) =>
      toOutcome(
        call(updateGeneration, { id: saved.remoteId ?? '', model_name: modelName }),
        pictureTexts.generationsFailed,
      ),
    ),
  ]);
}
