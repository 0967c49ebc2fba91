/** Reads what the server lists of pictures that it has saved itself: links and what they were made from. */
import * as v from 'valibot';

import { type ProviderId } from '#contract/images/providers';
import { defaultRatio, ratioNames } from '#contract/images/ratios';

import { type GenerationRecord, savedId } from './records.ts';
import { parseSeed } from './seed.ts';

const idText = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.nonEmpty());
const pixels = v.fallback(v.optional(v.number()), undefined);
const text = v.fallback(v.optional(v.string()), undefined);

/** One item in any of the spellings that backends use. */
const savedUrls = v.looseObject({
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
  created_at: v.fallback(v.optional(v.union([v.string(), v.number()])), undefined),
  aspect_ratio: v.fallback(v.optional(v.picklist(ratioNames), defaultRatio), defaultRatio),
  seed: v.fallback(v.optional(v.nullable(v.union([v.string(), v.number()]))), undefined),
  job_key: text,
});

type Whose = { readonly provider: ProviderId; readonly telegramId: string | undefined };

/** A record, or none where there is no id or no picture. */
export function readSavedUrls(item: unknown, { provider, telegramId }: Whose): GenerationRecord[] {
  const parsed = v.safeParse(savedUrls, item);
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
  const seed = parseSeed(output.seed ?? '');
  return [
    {
      provider,
      id: savedId(id),
      remoteId: id,
      status: 'completed',
      timestamp: toEpochMs(output.created_at),
      prompt: output.prompt,
      negativePrompt: '',
      modelId: output.style ?? '',
      modelName: '',
      style: output.style,
      seed: seed === '' ? undefined : seed,
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

/** Epoch milliseconds; 0 for what is no moment. */
function toEpochMs(moment: string | number | undefined): number {
  const ms = typeof moment === 'number' ? moment : Date.parse(moment ?? '');
  return Number.isFinite(ms) ? ms : 0;
}
