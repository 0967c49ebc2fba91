/** Packs of stickers that the bot makes for people: Telegram has the stickers, and the rows say whose a pack is. */
import sharp from 'sharp';

import { pictureLimits } from '#contract/images/limits';
import { type Dependencies } from '#server/app/dependencies';
import { createStickerPackRepository } from '#server/db/personal-records';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { detectPictureType } from '#server/lib/picture-type';
import {
  type ActionOutcome,
  type ChatActions,
  type StickerFormat,
} from '#server/upstream/telegram/chat-actions';

/** Of Telegram, for a pack of any formats. */
const maxInPack = 120;
const stickerSide = 512;
const maxStickerBytes = 512 * 1024;
/** What Telegram lets bots download. */
const maxSourceBytes = 20 * 1024 * 1024;
/** Packs that are full, or gone, are gone past. */
const maxTries = 10;
const qualities = [90, 70, 40] as const;

/** A sticker as it is, or a picture that is to become one. */
export type StickerSource =
  | { readonly kind: 'sticker'; readonly fileId: string; readonly format: StickerFormat }
  | { readonly kind: 'picture'; readonly fileId: string };

type Order = {
  readonly telegramId: number;
  /** Of the bot, without @. */
  readonly username: string;
  /** As `prepare` has returned it. */
  readonly fileId: string;
  readonly format: StickerFormat;
  readonly emoji: string;
  /** Of a new pack. */
  readonly title: string;
};

type NewSticker = Parameters<ChatActions['createStickerSet']>[0];

const toSetName = (number: number, telegramId: number, username: string) =>
  `p${number}_${telegramId}_by_${username}`;

/** Whose pack a name is of, if this bot has made it. */
export function readPackOwner(setName: string, username: string): number | undefined {
  const [, id, bot] = /^p\d{1,4}_(\d{1,16})_by_(\w+)$/.exec(setName) ?? [];
  return id !== undefined && bot?.toLowerCase() === username.toLowerCase() ? Number(id) : undefined;
}

/** One try: adds to a pack that there is, or makes it. */
function tryPack(
  api: ChatActions,
  { title, ...sticker }: NewSticker,
  { isThere, count }: { readonly isThere: boolean; readonly count: number },
): Promise<ActionOutcome> {
  if (count >= maxInPack) {
    return Promise.resolve({ kind: 'refused', why: 'set full', description: '' });
  }
  return isThere ? api.addSticker(sticker) : api.createStickerSet({ ...sticker, title });
}

export function createStickers({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) {
  const rows = createStickerPackRepository(database.db);
  const people = createKeyedSemaphore(1);
  /** Each may hold a large picture in memory. */
  const decoders = createKeyedSemaphore(1);

  async function upload(
    api: ChatActions,
    telegramId: number,
    fileId: string,
  ): Promise<ActionOutcome<string>> {
    const release = await decoders.acquire('stickers');
    try {
      const read = await api.readFile(fileId, maxSourceBytes);
      if (read.kind !== 'done') {
        return read;
      }
      return await api.uploadSticker(telegramId, await toStickerPicture(read.result));
    } finally {
      release();
    }
  }

  /** Adds to the newest pack, or makes one. Returns the name of the pack. */
  async function place(
    api: ChatActions,
    { telegramId, username, fileId, format, emoji, title }: Order,
  ): Promise<ActionOutcome<string>> {
    // A bot with another name has made others.
    const newest = (await rows.list(telegramId)).findLast(
      ({ name }) => readPackOwner(name, username) === telegramId,
    );
    let { number, count } = newest ?? { number: 1, count: 0 };
    let isThere = newest !== undefined;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const name = toSetName(number, telegramId, username);
      const pack = { name, telegramId, number, title, createdAt: clock() };
      const sticker = { telegramId, setName: name, fileId, format, emoji, title };
      const outcome = await tryPack(api, sticker, { isThere, count });
      if (outcome.kind === 'done') {
        await rows.addOne(pack);
        return { kind: 'done', result: name };
      }
      const why = outcome.kind === 'refused' ? outcome.why : undefined;
      if (why === 'set exists') {
        // Made before the rows were forgotten.
        isThere = true;
      } else if (why === 'set full' || why === 'no set') {
        await (why === 'no set' ? rows.remove(name) : rows.save({ ...pack, count: maxInPack }));
        [number, count, isThere] = [number + 1, 0, false];
      } else {
        return outcome;
      }
    }
    return { kind: 'refused', why: 'set full', description: '' };
  }

  return {
    /**
     * Makes a file that a pack takes, and returns its ID; nothing is in a pack by that, so that it may be done again. Throws
     * `picture_unreadable` and `picture_too_large`.
     */
    prepare: (
      api: ChatActions,
      telegramId: number,
      source: StickerSource,
    ): Promise<ActionOutcome<string>> =>
      source.kind === 'sticker'
        ? Promise.resolve({ kind: 'done', result: source.fileId })
        : upload(api, telegramId, source.fileId),

    /** Returns the name of the pack. */
    add: async (api: ChatActions, order: Order): Promise<ActionOutcome<string>> => {
      const release = await people.acquire(String(order.telegramId));
      try {
        return await place(api, order);
      } finally {
        release();
      }
    },

    /** To be called when a sticker was removed from a pack. */
    noteRemoved: (telegramId: number, name: string): Promise<void> =>
      rows.removeOne({ telegramId, name }),

    /** A static sticker as a PNG picture. Throws `picture_unreadable`. */
    toPng: async (bytes: Uint8Array): Promise<Uint8Array> => {
      requirePicture(bytes);
      return sharp(bytes, { limitInputPixels: pictureLimits.pixels }).png().toBuffer();
    },
  };
}

function requirePicture(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) {
    throw new AppError('picture_too_large');
  }
  if (detectPictureType(Buffer.from(bytes)) === undefined) {
    throw new AppError('picture_unreadable');
  }
  return bytes;
}

/** One side has exactly 512 pixels, the other at most. */
async function toStickerPicture(source: Uint8Array | undefined): Promise<Uint8Array> {
  const bytes = requirePicture(source);
  for (const quality of qualities) {
    try {
      const webp = await sharp(bytes, { limitInputPixels: pictureLimits.pixels })
        .autoOrient()
        .resize(stickerSide, stickerSide, { fit: 'inside' })
        .webp({ quality })
        .toBuffer();
      if (webp.length <= maxStickerBytes) {
        return webp;
      }
    } catch {
      throw new AppError('picture_unreadable');
    }
  }
  throw new AppError('picture_too_large');
}
