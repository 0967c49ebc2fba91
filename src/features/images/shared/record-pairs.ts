/** Finds the server's record of a picture that the device has, also where the server has told no ID. */
import { type GenerationRecord } from './records.ts';

/** Between the device's time of making or uploading a picture and the server's time of saving it. */
const maxApartMs = 60 * 60_000;

type Pairs = ReadonlyMap<string, GenerationRecord>;

/**
 * Pairs the device's records, by their ids, with the server's. No record is in two pairs. Without a sure
 * sign only those are paired that may be in the server's list.
 */
export function pairRecords(
  local: readonly GenerationRecord[],
  saved: readonly GenerationRecord[],
  mayBeListed: (record: GenerationRecord) => boolean,
): Pairs {
  const pairs = new Map<string, GenerationRecord>();
  const free = new Set(saved);
  const pair = (record: GenerationRecord, twin: GenerationRecord | undefined) => {
    if (twin && free.delete(twin)) {
      pairs.set(record.id, twin);
    }
  };

  // The surest sign first, for all records: a weaker one must not take another record's twin.
  for (const getSigns of [getIds, getJobKeys, getUrls]) {
    const bySign = new Map(
      [...free].flatMap((twin) => getSigns(twin).map((sign) => [sign, twin] as const)),
    );
    for (const record of local) {
      const sign = pairs.has(record.id) ? undefined : getSigns(record).find((s) => bySign.has(s));
      pair(record, sign === undefined ? undefined : bySign.get(sign));
    }
  }
  const unpaired = local.filter(
    (record) => record.remoteId === undefined && !pairs.has(record.id) && mayBeListed(record),
  );
  for (const { record, twin } of findSimilar(unpaired, free)) {
    if (!pairs.has(record.id)) {
      pair(record, twin);
    }
  }
  return pairs;
}

/** Whether two records are surely of the same picture. */
export function isSamePicture(one: GenerationRecord, other: GenerationRecord): boolean {
  return (
    one.provider === other.provider &&
    one.owner === other.owner &&
    [getIds, getJobKeys, getUrls].some((getSigns) => {
      const signs = new Set(getSigns(other));
      return getSigns(one).some((sign) => signs.has(sign));
    })
  );
}

const getIds = ({ remoteId }: GenerationRecord) => (remoteId === undefined ? [] : [remoteId]);
const getJobKeys = ({ jobKey }: GenerationRecord) => (jobKey === undefined ? [] : [jobKey]);
/** Without their queries: links are signed anew for each answer. */
const getUrls = ({ imageUrl, imageUrls = [] }: GenerationRecord) =>
  [imageUrl, ...imageUrls].flatMap((url) => url?.replace(/[?#].*$/, '') ?? []);

/** Pairs with the same prompt that may be of the same picture, those that the server has taken and the nearest in time first. */
function findSimilar(local: readonly GenerationRecord[], saved: ReadonlySet<GenerationRecord>) {
  return local
    .flatMap((record) =>
      [...saved]
        .filter((twin) => isSimilar(record, twin))
        .map((twin) => ({ record, twin, apartMs: getApartMs(record, twin) })),
    )
    .filter(({ apartMs }) => apartMs <= maxApartMs)
    .toSorted(
      (a, b) =>
        Number(b.record.isTaken ?? false) - Number(a.record.isTaken ?? false) ||
        a.apartMs - b.apartMs,
    );
}

function isSimilar(record: GenerationRecord, twin: GenerationRecord): boolean {
  return (
    // One that is being made is in no list, or gets its ID with the answer.
    record.status === 'completed' &&
    record.prompt.trim() === twin.prompt.trim() &&
    isEqualIfKnown(record.modelId, twin.modelId) &&
    isEqualIfKnown(record.seed, twin.seed) &&
    isEqualIfKnown(record.jobKey, twin.jobKey)
  );
}

function isEqualIfKnown(one: string | undefined, other: string | undefined): boolean {
  return !one || !other || one === other;
}

/** A picture is saved at some time between its beginning and the end of its upload. */
function getApartMs(record: GenerationRecord, { timestamp }: GenerationRecord): number {
  if (timestamp === 0) {
    // Unknown: rather than any time that is too far away.
    return maxApartMs;
  }
  const end = Math.max(record.timestamp, record.uploadedAt ?? 0);
  return Math.max(record.timestamp - timestamp, timestamp - end, 0);
}
