/** The name, kind and trigger words of a model by its ID: requested once a day, and stored on the device. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as v from 'valibot';

import { readModelInfo } from '#contract/endpoints/generations';
import { modelId } from '#contract/endpoints/images';
import { ApiError, call } from '#lib/api';
import { storedValue } from '#lib/storage';

const modelInfo = v.object({
  name: v.string(),
  isLora: v.boolean(),
  triggerWords: v.array(v.string()),
  /** Epoch milliseconds. */
  askedAt: v.number(),
});
type ModelInfo = v.InferOutput<typeof modelInfo>;

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
    const { name, type, trigger_words } = await call(readModelInfo, { model_id: id }, signal);
    if (name === id) {
      // The server's answer for an unknown model.
      return null;
    }
    const info: ModelInfo = {
      name,
      isLora: /lora/i.test(type ?? ''),
      triggerWords: trigger_words ?? [],
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

function store(id: string, info: ModelInfo): void {
  const others = Object.entries(stored.read() ?? {}).filter(([other]) => other !== id);
  stored.write(Object.fromEntries([[id, info], ...others].slice(0, maxStored)));
}

/** Undefined until the server has answered, and for a model that it does not know. */
export function useModelInfo(id: string): ModelInfo | undefined {
  const wanted = useSettled(id.trim());
  const { data } = useQuery(modelInfoQuery(wanted));
  return (wanted === id.trim() ? data : undefined) ?? undefined;
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
