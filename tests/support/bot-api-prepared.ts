/**
 * Messages that a bot prepares through the Bot API stand-in for users of its Mini App, and what it shows to be doing. The
 * checks are those of github.com/tdlib/telegram-bot-api and github.com/tdlib/td, and of Telegram's server:
 * https://core.telegram.org/bots/api#savepreparedinlinemessage
 */
import { asRecord, type Body, refuse } from './bot-api-world.ts';

type PreparedMessage = {
  readonly id: string;
  readonly to: number;
  readonly result: Body;
  /** Epoch seconds. */
  readonly expiresAt: number;
};

const maxResultIdBytes = 64;
const lifetimeS = 10 * 60;

/** https://core.telegram.org/bots/api#sendchataction */
const actions = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

export function createPrepared({
  isKnownUser,
  throwUnlessReachable,
  getChat,
  hasFile,
  clock,
}: {
  readonly isKnownUser: (telegramId: number) => boolean;
  /** Throws a refusal when the bot may not write to the user. */
  readonly throwUnlessReachable: (telegramId: number) => void;
  /** Throws a refusal when the bot may not write in the group. */
  readonly getChat: (body: Body, access: 'write') => unknown;
  /** Whether Telegram has this file of the bot, as one of this kind. */
  readonly hasFile: (kind: string, fileId: string) => boolean;
  readonly clock: () => number;
}) {
  const prepared: PreparedMessage[] = [];

  function savePreparedInlineMessage(body: Body) {
    const to = Number(body['user_id']);
    if (!Number.isSafeInteger(to) || to <= 0) {
      throw refuse('invalid user_id specified');
    }
    if (!isKnownUser(to)) {
      throw refuse('user not found');
    }
    const result = asRecord(body['result']);
    throwUnlessPhoto(result, hasFile);
    const kinds = ['user', 'bot', 'group', 'channel'].map((kind) => body[`allow_${kind}_chats`]);
    if (!kinds.includes(true)) {
      throw refuse('at least one chat type must be allowed');
    }
    const expiresAt = Math.floor(clock() / 1000) + lifetimeS;
    const id = `prepared-${prepared.length + 1}`;
    prepared.push({ id, to, result, expiresAt });
    return { id, expiration_date: expiresAt };
  }

  function sendChatAction(body: Body) {
    if (typeof body['action'] !== 'string' || !actions.has(body['action'])) {
      throw refuse('wrong parameter action in request');
    }
    const chatId = Number(body['chat_id']);
    if (chatId > 0) {
      throwUnlessReachable(chatId);
    } else {
      getChat(body, 'write');
    }
    return true;
  }

  return { prepared, methods: { savePreparedInlineMessage, sendChatAction } };
}

/** The only kind that the bot prepares: one that Telegram has, or whose files its server loads when a user sees it. */
function throwUnlessPhoto(
  { type, id, photo_file_id, photo_url, thumbnail_url, ...sizes }: Body,
  hasFile: (kind: string, fileId: string) => boolean,
): void {
  if (type !== 'photo') {
    throw refuse("can't parse inline query result: Unallowed inline query result type");
  }
  if (typeof id !== 'string' || id === '' || Buffer.byteLength(id) > maxResultIdBytes) {
    throw refuse('RESULT_ID_INVALID');
  }
  if (photo_file_id !== undefined) {
    if (typeof photo_file_id !== 'string' || !hasFile('photo', photo_file_id)) {
      throw refuse('wrong file identifier/HTTP URL specified');
    }
    return;
  }
  const addresses = [
    [photo_url, 'PHOTO_CONTENT_URL_EMPTY'],
    [thumbnail_url, 'PHOTO_THUMB_URL_EMPTY'],
  ] as const;
  for (const [address, problem] of addresses) {
    throwUnlessAddress(address, problem);
  }
  for (const side of ['photo_width', 'photo_height']) {
    if (sizes[side] !== undefined && !Number.isSafeInteger(sizes[side])) {
      throw refuse(`can't parse inline query result: Field "${side}" must be of type Number`);
    }
  }
}

function throwUnlessAddress(address: unknown, problem: string): void {
  if (typeof address !== 'string' || address === '') {
    throw refuse(problem);
  }
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || !url.hostname.includes('.')) {
    throw refuse('WEBDOCUMENT_URL_INVALID');
  }
}
