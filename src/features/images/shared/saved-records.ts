/** Turns the server's list of pictures that it saved while making them into records. */
import * as v from 'valibot';

import { toEpochMs } from '#contract/endpoints/generations';
import { type ProviderId } from '#contract/images/providers';
import { defaultRatio, ratioNames } from '#contract/images/ratios';
import { getSession } from '#lib/session';

import { parseSeed } from './recipe.ts';
import { type GenerationRecord, savedId } from './records.ts';

const idText = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.nonEmpty());
const pixels = v.fallback(v.optional(v.number()), undefined);
const text = v.fallback(v.optional(v.string()), undefined);

/** One item in any of the spellings that backends use. */
const savedItem = v.looseObject({
  id: v.optional(idText),
  _id: v.optional(idText),
  prompt: v.fallback(v.optional(v.string(), ''), ''),
  style: text,
  s3_url: text,
  s3_urls: v.fallback(v.optional(v.array(v.string()), []), []),
  image_url: text,
  thumbnail_url: text,
  thumbnail_urls: v.fallback(v.optional(v.array(v.string()), []), []),
  width: pixels,
  height: pixels,
  /** 0 when it is unknown. */
  created_at: v.pipe(
    v.optional(v.unknown(), null),
    v.transform((time) => (v.is(v.union([v.string(), v.number()]), time) && toEpochMs(time)) || 0),
  ),
  aspect_ratio: v.fallback(v.optional(v.picklist(ratioNames), defaultRatio), defaultRatio),
  seed: v.fallback(v.optional(v.nullable(v.union([v.string(), v.number()]))), undefined),
  job_key: text,
});

type Source = { readonly provider: ProviderId; readonly telegramId: string | undefined };

/** Returns no record for an item without an id or without a picture. */
export function readSavedRecord(
  item: unknown,
  { provider, telegramId }: Source,
): GenerationRecord[] {
  const parsed = v.safeParse(savedItem, item);
  if (!parsed.success) {
    return [];
  }
  const { output } = parsed;
  const id = output['_id'] ?? output.id;
  const imageUrls =
    output.s3_urls.length > 0 ? output.s3_urls : [output.s3_url ?? output.image_url];
  const urls = imageUrls.filter((url) => url !== undefined);
  const [imageUrl] = urls;
  if (id === undefined || imageUrl === undefined) {
    return [];
  }
  return [
    {
      provider,
      id: savedId(id),
      remoteId: id,
      status: 'completed',
      timestamp: output.created_at,
      prompt: output.prompt,
      negativePrompt: '',
      modelId: output.style ?? '',
      modelName: '',
      style: output.style,
      seed: parseSeed(output.seed ?? '') || undefined,
      ratio: output.aspect_ratio,
      nsfw: false,
      loras: [],
      imageUrl,
      thumbnailUrl: output.thumbnail_url ?? output.thumbnail_urls[0],
      width: output.width,
      height: output.height,
      imageUrls: urls.length > 1 ? urls : undefined,
      tags: [],
      owner: telegramId,
      jobKey: output.job_key,
    },
  ];
}

type SavedAnswer = { readonly id?: string | undefined; readonly is_saved?: unknown };

/** The server's id of pictures that were just made; undefined when it does not keep them, as a visitor's. */
export function getRemoteId({ id, is_saved }: SavedAnswer): string | undefined {
  return getSession().status === 'member' && is_saved !== false ? id : undefined;
}
