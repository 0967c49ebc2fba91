/** The models and LoRAs that somebody's own graphics card has, as the model service's list tells them. */
import * as v from 'valibot';

import { modelId } from '#contract/endpoints/images';
import { AppError } from '#server/lib/errors';
import { NoAnswer } from '#server/upstream/ask';

import { type A1111Lora, type A1111Model, type A1111Options, createA1111Api } from './a1111-api.ts';
import { type ModelService } from './model-service.ts';

const usualTimeoutMs = 15_000;

/** What can be chosen, known by what pictures are made with. */
type Choice = { readonly id: string; readonly name: string; readonly type: 'CHECKPOINT' | 'LORA' };

export function connectA1111Models({
  url,
  auth,
  timeoutMs = usualTimeoutMs,
}: A1111Options): ModelService {
  const api = createA1111Api({ url, auth, timeoutMs });

  async function readAll(): Promise<readonly Choice[]> {
    try {
      const [models, loras] = await Promise.all([api.listModels(), api.listLoras()]);
      return [...models.flatMap(choiceOfModel), ...loras.flatMap(choiceOfLora)];
    } catch (error) {
      throw error instanceof AppError || error instanceof NoAnswer
        ? new AppError('model_service_failed')
        : error;
    }
  }

  const page: ModelService['search'] = async ({ first, after, keyword = '' }) => {
    const wanted = keyword.trim().toLowerCase();
    const found = (await readAll()).filter(({ id, name }) =>
      [id, name].some((text) => text.toLowerCase().includes(wanted)),
    );
    const start = startAfter(after);
    const edges = found.slice(start, start + first).map((choice, index) => ({
      cursor: String(start + index + 1),
      node: nodeOf(choice),
    }));
    const hasNextPage = start + first < found.length;
    return { edges, pageInfo: { hasNextPage, endCursor: edges.at(-1)?.cursor } };
  };

  return {
    // It knows no likes and no dates, so that its own order is every order.
    list: ({ first, after }) => page({ first, after }),
    search: page,
    nameOf: async (id) => {
      try {
        return (await readAll()).find((choice) => choice.id === id)?.name;
      } catch {
        // A name is a help, and not worth a failure: the id stands in for it.
        return undefined;
      }
    },
  };
}

/** By its name, or by its hash where the name cannot be sent; one without either is left out. */
function choiceOfModel({ model_name: name, hash }: A1111Model): readonly Choice[] {
  const id = [name, hash ?? ''].find((text) => isSent(text));
  return id === undefined ? [] : [{ id, name, type: 'CHECKPOINT' }];
}

/** A prompt names it by its file, whatever else it is called. */
function choiceOfLora({ name, alias }: A1111Lora): readonly Choice[] {
  return isSent(name) ? [{ id: name, name: alias || name, type: 'LORA' }] : [];
}

/** Whether it comes back from the page as it is. */
function isSent(id: string): boolean {
  const parsed = v.safeParse(modelId, id);
  return parsed.success && parsed.output === id;
}

/** A cursor is how many came before. Throws `invalid_cursor`. */
function startAfter(after: string | null | undefined): number {
  const text = after ?? '0';
  if (!/^\d{1,9}$/.test(text)) {
    throw new AppError('invalid_cursor');
  }
  return Number(text);
}

function nodeOf({ id, name, type }: Choice) {
  return {
    id: `${type.toLowerCase()}:${id}`,
    title: name,
    type,
    category: 'own',
    isNsfw: false,
    isPrivate: true,
    media: null,
    tags: [],
    latestAvailableVersion: { id, name, status: 'published', extra: {} },
  };
}
