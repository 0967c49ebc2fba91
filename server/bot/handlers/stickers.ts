/** Stickers: into a pack of one's own, out of it, and as a file. */
import { type Message, type Sticker } from 'grammy/types';

import { type Answer, type BotTools, type CommandRequest, type Handler } from '#server/bot/command';
import { getReply } from '#server/bot/reading';
import { personalTexts } from '#server/services/personal-texts';
import { readPackOwner, type StickerSource } from '#server/services/stickers';
import { type ActionOutcome, type StickerFormat } from '#server/upstream/telegram/chat-actions';
import { type Person, refuse, requireDone } from '#services/members';

import { callOnce, callTelegram } from './calls.ts';
import { requirePerson } from './personal.ts';

const refuseWith = (write: (texts: (typeof personalTexts)['stickers']) => string) =>
  refuse((_texts, say) => write(say(personalTexts).stickers));

function toFormat({ is_animated, is_video }: Sticker): StickerFormat {
  return is_animated ? 'animated' : is_video ? 'video' : 'static';
}

/** Telegram takes the largest size of a photo as any other. */
function readSource(reply: Partial<Message> | undefined): StickerSource | undefined {
  const { sticker, photo, document } = reply ?? {};
  if (sticker !== undefined) {
    return sticker.type === 'regular'
      ? { kind: 'sticker', fileId: sticker.file_id, format: toFormat(sticker) }
      : undefined;
  }
  const isPicture = /^image\/(?:png|jpeg|webp)$/.test(document?.mime_type ?? '');
  const fileId = photo?.at(-1)?.file_id ?? (isPicture ? document?.file_id : undefined);
  return fileId === undefined ? undefined : { kind: 'picture', fileId };
}

const usualEmoji = '🙂';
const emojiPattern = /\p{RGI_Emoji}/v;

export const sticker: Handler = async (request, tools): Promise<Answer | undefined> => {
  const person = requirePerson(request);
  const { name: verb, message } = request;
  const reply = getReply(message);
  if (verb === 'getsticker') {
    return sendAsFile(request, tools, reply?.sticker);
  }
  if (verb === 'unkang') {
    return removeFromPack(request, tools, { person, found: reply?.sticker });
  }
  return addToPack(request, tools, { person, reply });
};

/** Telegram cuts longer titles off. */
const maxTitle = 64;

async function addToPack(
  request: CommandRequest,
  tools: BotTools,
  { person, reply }: { readonly person: Person; readonly reply: Message | undefined },
): Promise<Answer> {
  const { args, say } = request;
  const { services, username } = tools;
  const texts = say(personalTexts).stickers;
  const source = readSource(reply);
  if (source === undefined) {
    throw refuseWith((all) => all.usage);
  }
  const emoji = emojiPattern.exec(args.text)?.[0] ?? reply?.sticker?.emoji ?? usualEmoji;
  const title = Array.from(texts.title(person.name)).slice(0, maxTitle).join('');
  let setName = '';
  const outcome = await callOnce(request, tools, {
    isRepeatable: false,
    make: async (api) => {
      const { telegramId } = person;
      const added = await services.stickers.add(api, {
        telegramId,
        username,
        source,
        emoji,
        title,
      });
      if (added.kind !== 'done') {
        return added;
      }
      setName = added.result;
      return { kind: 'done', result: true };
    },
  });
  throwRefused(outcome);
  requireDone(outcome, { right: 'info' });
  const url = `https://t.me/addstickers/${setName}`;
  return {
    text: texts.added,
    buttons: setName === '' ? [] : [[{ text: texts.open, url, opens: 'link' }]],
  };
}

function throwRefused(outcome: ActionOutcome<unknown>): void {
  if (outcome.kind === 'refused' && outcome.why === 'not started') {
    throw refuseWith((texts) => texts.start);
  }
  if (outcome.kind === 'refused' && /^(?:set|no set)/.test(outcome.why)) {
    throw refuseWith((texts) => texts.full);
  }
}

async function removeFromPack(
  request: CommandRequest,
  tools: BotTools,
  { person, found }: { readonly person: Person; readonly found: Sticker | undefined },
): Promise<Answer> {
  const setName = found?.set_name ?? '';
  if (found === undefined || readPackOwner(setName, tools.username) !== person.telegramId) {
    throw refuseWith((texts) => texts.notYours);
  }
  const outcome = await callOnce(request, tools, {
    isRepeatable: true,
    make: (api) => api.removeSticker(found.file_id),
  });
  if (outcome.kind === 'refused' && outcome.why === 'no set') {
    throw refuseWith((texts) => texts.notYours);
  }
  requireDone(outcome, { right: 'info' });
  await tools.services.stickers.noteRemoved(person.telegramId, setName);
  return { text: request.say(personalTexts).stickers.removed };
}

const maxStickerBytes = 2 * 1024 * 1024;

async function sendAsFile(
  request: CommandRequest,
  tools: BotTools,
  found: Sticker | undefined,
): Promise<undefined> {
  const { chatId, topicId, message } = request;
  if (found === undefined) {
    throw refuseWith((texts) => texts.usage);
  }
  if (found.is_animated) {
    throw refuseWith((texts) => texts.noPicture);
  }
  const read = await callTelegram(chatId, tools, (api) =>
    api.readFile(found.file_id, maxStickerBytes),
  );
  const bytes = requireDone(read, { right: 'info' });
  if (bytes === undefined) {
    throw refuse((texts) => texts.fileLost);
  }
  const file = found.is_video
    ? { name: 'sticker.webm', bytes }
    : { name: 'sticker.png', bytes: await tools.services.stickers.toPng(bytes) };
  const replyTo = message.message_id === 0 ? undefined : message.message_id;
  const sent = await callTelegram(chatId, tools, (api, id) =>
    api.sendFiles({ chatId: id, topicId, replyTo, text: '', files: [{ kind: 'document', file }] }),
  );
  requireDone(sent, { right: 'info' });
  return undefined;
}
