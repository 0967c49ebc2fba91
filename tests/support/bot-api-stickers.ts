/**
 * Sets of stickers that a bot makes through the Bot API stand-in, and the files that it downloads. Its checks are those of
 * github.com/tdlib/telegram-bot-api and of Telegram's documentation, and worded as Telegram's.
 */
import { type ServerResponse } from 'node:http';
import sharp from 'sharp';

import { FormFile } from './bot-api-documents.ts';
import { asRecord, type Body, refuse } from './bot-api-world.ts';

type SetSticker = { readonly fileId: string; readonly format: string; readonly emoji: string };
type StickerSet = { readonly title: string; readonly owner: number; stickers: SetSticker[] };

type Known = {
  readonly bot: { readonly username: string };
  /** Whether the user has written to the bot. */
  readonly hasStarted: (telegramId: number) => boolean;
};

const maxStickers = 120;
const maxStaticBytes = 512 * 1024;
const formats: ReadonlySet<unknown> = new Set(['static', 'animated', 'video']);

export function createStickerSets({ bot, hasStarted }: Known) {
  const sets = new Map<string, StickerSet>();
  /** By ID. */
  const files = new Map<string, Buffer>();
  let nextFile = 1;

  function addFile(bytes: Buffer): string {
    const fileId = `CAACAgIAAxk_sticker_${nextFile}`;
    nextFile += 1;
    files.set(fileId, bytes);
    return fileId;
  }

  function readUser(body: Body): number {
    const id = Number(body['user_id']);
    if (!hasStarted(id)) {
      throw refuse('PEER_ID_INVALID');
    }
    return id;
  }

  function readSticker(value: unknown): SetSticker {
    const { sticker: fileId, format, emoji_list: emoji } = asRecord(value);
    if (!formats.has(format)) {
      throw refuse('invalid sticker format specified');
    }
    if (!Array.isArray(emoji) || emoji.length === 0 || emoji.length > 20) {
      throw refuse('sticker emoji list must contain from 1 to 20 emoji');
    }
    if (typeof fileId !== 'string' || !files.has(fileId)) {
      throw refuse('wrong file identifier/HTTP URL specified');
    }
    return { fileId, format: String(format), emoji: String(emoji[0]) };
  }

  function findSet(name: unknown): StickerSet {
    const found = sets.get(String(name).toLowerCase());
    if (found === undefined) {
      throw refuse('STICKERSET_INVALID');
    }
    return found;
  }

  async function uploadStickerFile(body: Body) {
    readUser(body);
    const { sticker: file, sticker_format: format } = body;
    if (!(file instanceof FormFile) || !formats.has(format)) {
      throw refuse('there is no sticker file in the request');
    }
    const { width, height, format: type } = await sharp(file.bytes).metadata();
    if (type !== 'webp' && type !== 'png') {
      throw refuse('STICKER_PNG_NOPNG');
    }
    if (Math.max(width, height) !== 512) {
      throw refuse('STICKER_PNG_DIMENSIONS');
    }
    if (file.bytes.length > maxStaticBytes) {
      throw refuse('file is too big');
    }
    const fileId = addFile(file.bytes);
    return { file_id: fileId, file_unique_id: `u-${fileId}`, file_size: file.bytes.length };
  }

  function createNewStickerSet(body: Body) {
    const owner = readUser(body);
    const { name, title, stickers } = body;
    const isNamed =
      typeof name === 'string' &&
      /^[a-z](?:_?[a-z\d])*$/i.test(name) &&
      name.length <= 64 &&
      name.toLowerCase().endsWith(`_by_${bot.username}`.toLowerCase());
    if (!isNamed) {
      throw refuse('invalid sticker set name is specified');
    }
    if (typeof title !== 'string' || title.length === 0 || title.length > 64) {
      throw refuse('PACK_TITLE_INVALID');
    }
    if (sets.has(name.toLowerCase())) {
      throw refuse('sticker set name is already occupied');
    }
    if (!Array.isArray(stickers) || stickers.length === 0 || stickers.length > 50) {
      throw refuse('stickers must contain from 1 to 50 elements');
    }
    sets.set(name.toLowerCase(), { title, owner, stickers: stickers.map(readSticker) });
    return true;
  }

  function addStickerToSet(body: Body) {
    readUser(body);
    const set = findSet(body['name']);
    const added = readSticker(body['sticker']);
    if (set.stickers.length >= maxStickers) {
      throw refuse('STICKERS_TOO_MUCH');
    }
    set.stickers.push(added);
    return true;
  }

  function deleteStickerFromSet(body: Body) {
    const set = [...sets.values()].find(({ stickers }) =>
      stickers.some(({ fileId }) => fileId === body['sticker']),
    );
    if (set === undefined) {
      throw refuse('STICKERSET_INVALID');
    }
    set.stickers = set.stickers.filter(({ fileId }) => fileId !== body['sticker']);
    return true;
  }

  return {
    findSet: (name: string): StickerSet | undefined => sets.get(name.toLowerCase()),
    /** A file that someone has sent. Returns its ID. */
    addFile,
    /** The set is deleted by its owner. */
    removeSet: (name: string): void => void sets.delete(name.toLowerCase()),
    fill: (name: string): void => {
      const set = findSet(name);
      const fileId = addFile(Buffer.from('x'));
      set.stickers = Array.from({ length: maxStickers }, () => ({
        fileId,
        format: 'static',
        emoji: '🙂',
      }));
    },
    /** Answers a download of a file; returns false for other requests. */
    serveFile: (url: string | undefined, token: string, response: ServerResponse): boolean => {
      const start = `/file/bot${token}/stickers/`;
      if (url?.startsWith(start) !== true) {
        return false;
      }
      const bytes = files.get(url.slice(start.length));
      response.writeHead(bytes === undefined ? 404 : 200);
      response.end(bytes);
      return true;
    },
    methods: {
      getFile: (body: Body) => {
        const fileId = String(body['file_id']);
        const bytes = files.get(fileId);
        if (bytes === undefined) {
          throw refuse('wrong file_id or the file is temporarily unavailable');
        }
        if (bytes.length > 20 * 1024 * 1024) {
          throw refuse('file is too big');
        }
        return { file_id: fileId, file_size: bytes.length, file_path: `stickers/${fileId}` };
      },
      uploadStickerFile,
      createNewStickerSet,
      addStickerToSet,
      deleteStickerFromSet,
    },
  };
}
