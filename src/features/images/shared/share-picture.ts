/** Sends and shares pictures, and shows what came of it. Loaded when a user wants that. */
import {
  notifyOfJob,
  readPictureLinks,
  sendPicture,
  sharePicture,
} from '#contract/endpoints/picture-sharing';
import { ApiError, call, errorText } from '#lib/api';
import { fetchCapabilities } from '#lib/capabilities';
import { fetchFile, resolveLink, shareFile } from '#lib/fetch-file';
import { noticeMs, useNotices } from '#lib/notices';
import { getPlatform, type Platform } from '#lib/platform';

import { getFileName, toWantedFile, useKeepsRecipe } from './download-picture.ts';
import { randomKey } from './generation-request.ts';
import { logFailure } from './log-failure.ts';
import { findPicture } from './pictures.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { changeRecord, type GenerationRecord, getPictureIndex } from './records.ts';
import { sharingTexts as texts } from './texts.ts';

type Tone = 'success' | 'info' | 'error';

function say(tone: Tone, text: string, action?: { text: string; press: () => void }): void {
  getPlatform().haptic(tone === 'info' ? 'light' : tone);
  useNotices.getState().show({
    id: 'share-picture',
    tone,
    text,
    ...(action ? { action, durationMs: noticeMs.long } : {}),
  });
}

/** Says why something failed; to whom the bot may not write, also where its Start is. */
async function sayFailure(error: unknown, fallback: string): Promise<void> {
  logFailure(fallback, error);
  const bot = mayNotWrite(error) ? await findBotAddress() : undefined;
  const openBot = { text: texts.openBot, press: () => getPlatform().openTelegramLink(bot ?? '') };
  say('error', errorText(error, fallback), bot === undefined ? undefined : openBot);
}

async function findBotAddress(): Promise<string | undefined> {
  try {
    const { bot_username: name } = await fetchCapabilities();
    return name === undefined ? undefined : `https://t.me/${name}?start`;
  } catch {
    return undefined;
  }
}

const mayNotWrite = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'bot_may_not_write';

/** Makes a call, and again when the user has let the bot write to them after it was refused for that. */
async function askingForAccess<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (mayNotWrite(error) && (await getPlatform().requestWriteAccess?.()) === true) {
      return make();
    }
    throw error;
  }
}

/** What the server calls a picture. */
function toId({ id, remoteId = '' }: GenerationRecord) {
  return { id: remoteId, picture: getPictureIndex(id) };
}

/** Has the bot send a picture to the user, or all pictures of a record. Never rejects. */
export async function sendToChat(
  record: GenerationRecord,
  as: 'photo' | 'file',
  isAll: boolean,
): Promise<void> {
  const { id, picture } = toId(record);
  // The same in both tries, so that it is sent once.
  const request = {
    id,
    as,
    request_key: randomKey(),
    ...(isAll ? {} : { picture }),
    // Photos never say how they were made.
    ...(as === 'file' && { without_recipe: !useKeepsRecipe.getState().keepsRecipe }),
  };
  try {
    const { state } = await askingForAccess(() => call(sendPicture, request));
    say(state === 'sent' ? 'success' : 'info', state === 'sent' ? texts.sent : texts.pending);
  } catch (error) {
    await sayFailure(error, texts.notSent);
  }
}

/** Telegram for Android ignores what comes too long after the last press. */
const freshPressMs = 8000;

/** Lets the user send a picture to a chat that they choose. Never rejects. */
export async function shareToChat(record: GenerationRecord): Promise<void> {
  const { shareMessage } = getPlatform();
  try {
    await (shareMessage ? sharePrepared(record, shareMessage) : shareLink(record));
  } catch (error) {
    await sayFailure(error, texts.notShared);
  }
}

async function sharePrepared(
  record: GenerationRecord,
  shareMessage: NonNullable<Platform['shareMessage']>,
): Promise<void> {
  const pressedAt = Date.now();
  const first = await call(sharePicture, toId(record));
  if (Date.now() - pressedAt > freshPressMs) {
    const press = () => void shareById(record, shareMessage, first.prepared_message_id);
    say('info', texts.prepared, { text: texts.menu, press });
    return;
  }
  await shareById(record, shareMessage, first.prepared_message_id);
}

async function shareById(
  record: GenerationRecord,
  shareMessage: NonNullable<Platform['shareMessage']>,
  preparedId: string,
): Promise<void> {
  const first = await shareMessage(preparedId);
  const shared =
    first === 'expired'
      ? await shareMessage((await call(sharePicture, toId(record))).prepared_message_id)
      : first;
  if (shared === 'unsupported') {
    await shareLink(record);
  } else if (shared === 'sent') {
    getPlatform().haptic('success');
  } else if (shared !== 'declined') {
    say('error', texts.notShared);
  }
}

/** Telegram's list of chats for a link, which all of its clients have. */
async function shareLink(record: GenerationRecord): Promise<void> {
  const { photo_url } = await call(readPictureLinks, toId(record));
  getPlatform().openTelegramLink(`https://t.me/share/url?url=${encodeURIComponent(photo_url)}`);
}

/** Opens Telegram's editor of stories with a picture. Never rejects. */
export async function shareAsStory(record: GenerationRecord): Promise<void> {
  try {
    const { story_url } = await call(readPictureLinks, toId(record));
    getPlatform().shareStory?.(story_url);
  } catch (error) {
    await sayFailure(error, texts.notShared);
  }
}

/** Hands a picture to another app of the device. Never rejects. */
export async function shareToApp(adapter: ProviderAdapter, record: GenerationRecord) {
  const found = await findPicture(record.id, 'original', () => record.imageUrl);
  const whole = typeof found === 'string' ? await fetchFile(found) : found;
  const blob = whole && (await toWantedFile(whole));
  const file = blob && new File([blob], getFileName(adapter, record, blob.type), blob);
  const shared = file && (await shareFile(file));
  if (shared !== 'sent' && shared !== 'declined') {
    say('error', texts.notShared);
  }
}

/** Never rejects. */
export async function copyLink({ imageUrl = '' }: GenerationRecord): Promise<void> {
  const { href } = new URL(resolveLink(imageUrl), window.location.href);
  const isCopied = await getPlatform().copy(href);
  say(isCopied ? 'success' : 'error', isCopied ? texts.copied : texts.notCopied);
}

/** Has the bot tell the user when pictures are ready that are being made. Never rejects. */
export async function askToTell({ id, jobKey = '' }: GenerationRecord): Promise<void> {
  try {
    const { state } = await askingForAccess(() => call(notifyOfJob, { job_key: jobKey }));
    if (state === 'waiting') {
      getPlatform().haptic('success');
      changeRecord(id, { isAwaited: true });
    }
  } catch (error) {
    await sayFailure(error, texts.notTold);
  }
}
