/** What the shared parts need to know of a provider: how it makes pictures, and how they are kept. */
import { type ProviderId } from '#contract/images/providers';

import { type Recipe } from './recipe.ts';
import { type GenerationRecord } from './records.ts';

/** What came of a wish. */
export type Made = {
  /** In order; undefined where the bytes cannot be had, and only the server's link remains. */
  readonly files: readonly (Blob | undefined)[];
  /** What the answer says of them beside: the seed really used, what made them, where they are. */
  readonly facts: Partial<
    Pick<
      GenerationRecord,
      'seed' | 'engine' | 'remoteId' | 'imageUrl' | 'imageUrls' | 'thumbnailUrl' | 'timestamp'
    >
  >;
};

export type ProviderAdapter = {
  readonly id: ProviderId;
  /** What its records are tagged with. */
  readonly tag: string;
  /**
   * The pictures stand in the history when they are made: until then a placeholder with an id of its
   * own does, which goes when they are there, and when they fail.
   */
  readonly hasPlaceholders: boolean;
  /** Asks for the pictures; asking twice with the same key makes them once. Throws `ApiError`. */
  readonly ask: (recipe: Recipe, jobKey: string) => Promise<Made>;
  /** What else can be learnt of a wish while the pictures are made. Nobody waits for it; never rejects. */
  readonly lookUp?: (recipe: Recipe) => Promise<Partial<Pick<GenerationRecord, 'modelName'>>>;
  /** The sentence about what ended a wish. */
  readonly sayFailure: (error: unknown) => string;
  /** What the server keeps for a member, newest first. Throws `ApiError`. */
  readonly list: (
    telegramId: string | undefined,
    signal: AbortSignal,
  ) => Promise<readonly GenerationRecord[]>;
  /** How pictures get to the server that are only here; absent where making them saves them. */
  readonly save?: (record: GenerationRecord) => Promise<void>;
  /** Tells the server what this device knows of pictures that both have. Nobody waits for it. */
  readonly tellServer?: (pairs: readonly Pair[]) => Promise<unknown>;
  /** What a picture is called as a file, without its ending. */
  readonly fileName: (picture: GenerationRecord) => string;
  /** The server's own call for saving a picture as a file, where there is one; undefined when it refuses. */
  readonly fetchForDownload?: (url: string) => Promise<Blob | undefined>;
  /** Whether deleting deletes on the server, too. */
  readonly deletesThere: boolean;
};

/** A picture as the device knows it, and as the server does. */
export type Pair = { readonly here: GenerationRecord; readonly there: GenerationRecord };
