/** What is known about a model by its ID: requested at most once a day, and stored on the device. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import * as v from 'valibot';

import { readModelInfo } from '#contract/endpoints/generations';
import { modelId } from '#contract/endpoints/images';
import { type ModelCard } from '#contract/endpoints/models';
import { ApiError, call } from '#lib/api';
import { storedValue } from '#lib/storage';

import { selectModel } from '../draft.ts';

const modelInfo = v.object({
  name: v.string(),
  /** Empty when unknown. */
  type: v.optional(v.string(), ''),
  isLora: v.boolean(),
  /** The address of a small picture. */
  cover: v.optional(v.string()),
  /** Whether the cover is for adults only. */
  isAdult: v.optional(v.boolean(), false),
  triggerWords: v.array(v.string()),
  /** Epoch milliseconds. */
  askedAt: v.number(),
});
export type ModelInfo = v.InferOutput<typeof modelInfo>;

const stored = storedValue('nori_model_info', v.record(v.string(), modelInfo));
const maxStored = 200;
const typingMs = 300;
const freshMs = 24 * 60 * 60_000;

/** Whether a text can be the ID of a model. */
export function isModelId(text: string): boolean {
  return v.is(modelId, text);
}

const modelInfoQuery = (id: string) =>
  queryOptions({
    queryKey: ['model-info', id],
    queryFn: ({ signal }) => fetchInfo(id, signal),
    enabled: isModelId(id),
    initialData: () => stored.read()?.[id],
    initialDataUpdatedAt: () => stored.read()?.[id]?.askedAt,
    staleTime: freshMs,
    retry: false,
  });

/** Null when the server does not know the model or cannot be reached: then the ID is shown. */
async function fetchInfo(id: string, signal?: AbortSignal): Promise<ModelInfo | null> {
  try {
    const answer = await call(readModelInfo, { model_id: id }, signal);
    const { name, type, trigger_words, cover_url, is_nsfw } = answer;
    if (name === id) {
      // The server's answer for an unknown model.
      return null;
    }
    const info: ModelInfo = {
      name,
      type: type ?? '',
      isLora: /lora/i.test(type ?? ''),
      triggerWords: trigger_words ?? [],
      cover: cover_url ?? undefined,
      isAdult: is_nsfw ?? false,
      askedAt: Date.now(),
    };
    store(id, info);
    return info;
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'aborted') {
      return null;
    }
    throw error;
  }
}

/** Undefined when neither the device nor the server knows the name. */
export async function fetchModelName(id: string): Promise<string | undefined> {
  return stored.read()?.[id]?.name ?? (await fetchInfo(id))?.name;
}

/** Puts a model of the catalogue into the form. The server need not be asked about it then. */
export function chooseModel(model: ModelCard): void {
  rememberModel(model);
  selectModel({ modelId: model.modelId, modelName: model.name });
}

/** Stores what the catalogue says about a model, so that the server is not asked about it. */
export function rememberModel({ modelId: id, name, type, isLora, ...model }: ModelCard): void {
  if (name !== '') {
    const { triggerWords, thumbnail: cover, isNsfw: isAdult } = model;
    const askedAt = Date.now();
    store(id, { name, type, isLora, triggerWords: [...triggerWords], cover, isAdult, askedAt });
  }
}

function store(id: string, info: ModelInfo): void {
  const others = Object.entries(stored.read() ?? {}).filter(([other]) => other !== id);
  stored.write(Object.fromEntries([[id, info], ...others].slice(0, maxStored)));
}

/** Undefined until the server has answered, and for a model that it does not know. */
export function useModelInfo(text: string): ModelInfo | undefined {
  const id = text.trim();
  const settled = useSettled(id);
  const isStored = useMemo(() => stored.read()?.[id] !== undefined, [id]);
  const { data } = useQuery(modelInfoQuery(isStored ? id : settled));
  return (isStored || settled === id ? data : undefined) ?? undefined;
}

/** The text after a pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);

  useEffect(() => {
    const timer = setTimeout(setSettled, typingMs, text);
    return () => clearTimeout(timer);
  }, [text]);

  return settled;
}
