/** What is known of a model by its ID: asked for once, and kept on the device. */
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

const kept = storedValue('nori_model_info', v.record(v.string(), modelInfo));
const maxKept = 200;
const typingMs = 300;
const freshMs = 24 * 60 * 60_000;

/** Whether a text can be the ID of a model; what is empty cannot. */
export function isModelId(text: string): boolean {
  return v.is(modelId, text);
}

const modelInfoQuery = (id: string) =>
  queryOptions({
    queryKey: ['model-info', id],
    queryFn: ({ signal }) => ask(id, signal),
    enabled: isModelId(id),
    initialData: () => kept.read()?.[id],
    initialDataUpdatedAt: () => kept.read()?.[id]?.askedAt,
    staleTime: freshMs,
    retry: false,
  });

/** Without an answer there is no name, and the ID is shown in its place. */
async function ask(id: string, signal?: AbortSignal): Promise<ModelInfo | null> {
  try {
    const { name, type, trigger_words } = await call(readModelInfo, { model_id: id }, signal);
    if (name === id) {
      // How a server says that it knows nothing of a model.
      return null;
    }
    const info: ModelInfo = {
      name,
      isLora: /lora/i.test(type ?? ''),
      triggerWords: trigger_words ?? [],
      askedAt: Date.now(),
    };
    keep(id, info);
    return info;
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'aborted') {
      return null;
    }
    throw error;
  }
}

/** The name of a model as the device or the server knows it; undefined when neither does. */
export async function fetchModelName(id: string): Promise<string | undefined> {
  return kept.read()?.[id]?.name ?? (await ask(id))?.name;
}

function keep(id: string, info: ModelInfo): void {
  const others = Object.entries(kept.read() ?? {}).filter(([other]) => other !== id);
  kept.write(Object.fromEntries([[id, info], ...others].slice(0, maxKept)));
}

/** What is known of a model; undefined until the server has told, and when it does not know. */
export function useModelInfo(id: string): ModelInfo | undefined {
  const wanted = useSettled(id.trim());
  const { data } = useQuery(modelInfoQuery(wanted));
  return (wanted === id.trim() ? data : undefined) ?? undefined;
}

/** An ID is asked about when its typing is over. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);

  useEffect(() => {
    const timer = setTimeout(setSettled, typingMs, text);
    return () => clearTimeout(timer);
  }, [text]);

  return settled;
}
