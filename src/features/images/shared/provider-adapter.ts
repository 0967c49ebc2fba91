/** What the shared parts call of a provider: how its pictures are made, listed, saved and named. */
import { type ProviderId } from '#contract/images/providers';

import { type Recipe } from './recipe.ts';
import { type GenerationRecord } from './records.ts';

/** The pictures of one generation. */
export type MadePictures = {
  /** In order; undefined where only the server's link can be had. */
  readonly files: readonly (Blob | undefined)[];
  /** What the response says about them: the seed used, the engine, their links. */
  readonly facts: Partial<
    Pick<
      GenerationRecord,
      | 'seed'
      | 'engine'
      | 'remoteId'
      | 'imageUrl'
      | 'imageUrls'
      | 'thumbnailUrl'
      | 'timestamp'
      | 'prompt'
      | 'modelId'
      | 'modelName'
      | 'ratio'
      | 'nsfw'
      | 'tags'
    >
  >;
};

export type ProviderAdapter = {
  readonly id: ProviderId;
  /** The tag of its records. */
  readonly tag: string;
  /**
   * Whether a pending generation is only a placeholder in the history. It has an id of its own, and is
   * removed when the generation fails.
   */
  readonly hasPlaceholders: boolean;
  /** Makes pictures; the same key twice makes them once. No key for a server without jobs. Throws `ApiError`. */
  readonly requestPictures: (recipe: Recipe, jobKey: string | undefined) => Promise<MadePictures>;
  /** Finds out more about a recipe while its pictures are made. Never rejects. */
  readonly lookUp?: (recipe: Recipe) => Promise<Partial<Pick<GenerationRecord, 'modelName'>>>;
  /** The sentence that the user reads when a generation fails. */
  readonly describeFailure: (error: unknown) => string;
  /** The pictures that the server has of the user, newest first. Throws `ApiError`. */
  readonly list: (
    telegramId: string | undefined,
    signal: AbortSignal,
  ) => Promise<readonly GenerationRecord[]>;
  /** Uploads pictures that only this device has; absent where making pictures saves them. */
  readonly save?: (record: GenerationRecord) => Promise<void>;
  /** Sends the server what only this device knows about pictures that both have. */
  readonly syncDetails?: (pairs: readonly RecordPair[]) => Promise<unknown>;
  /** The name of a picture's file, without its extension. */
  readonly fileName: (picture: GenerationRecord) => string;
  /** Fetches a file by the server's own download call; undefined when it refuses. */
  readonly fetchForDownload?: (url: string) => Promise<Blob | undefined>;
  readonly deletion: {
    /** Deletes a generation on the server. Throws `ApiError`. */
    readonly remove: (remoteId: string) => Promise<unknown>;
    /** Without it the server keeps generations; absent where every server deletes them. */
    readonly capability?: string;
    /** Undoes it, on servers that can; absent where deleting is final. Throws `ApiError`. */
    readonly restore?: (remoteId: string) => Promise<unknown>;
  };
};

/** The device's and the server's record of the same picture. */
export type RecordPair = { readonly local: GenerationRecord; readonly remote: GenerationRecord };
