/** The dispatcher: hands each update to moderation, to the services of chats, and to the commands. */
import {
  type CallbackQuery,
  type ChatMember,
  type ChatMemberUpdated,
  type Message,
  type Update,
} from 'grammy/types';

import { type DueJobs } from '#server/services/due-jobs';
import { type MessageCheck } from '#server/services/services';
import { type TelegramPictures } from '#server/services/telegram-pictures';
import { isGroup, isPresent } from '#server/upstream/telegram/bot';
import { groupRequestId } from '#server/upstream/telegram/telegram';
import { type UserLanguageService } from '#services/accounts';
import { type Reactions } from '#services/automatic';
import { type ChatUpdateHandler } from '#services/chats';
import { type JoinGate, type Joining } from '#services/joining';
import { type MemberCommands } from '#services/members';
import { type Moderation } from '#services/moderation';

import { type Commands } from './commands.ts';
import { type LogChannelUpdates } from './handlers/log-channel.ts';
import { type InlineUpdates } from './inline.ts';
import { type HandleUpdate, type InBackground, type UntilStored } from './update-queue.ts';

type Tools = {
  readonly services: {
    readonly chatUpdates: ChatUpdateHandler;
    readonly dueJobs: Pick<DueJobs, 'removeInChat'>;
    readonly gate: Pick<JoinGate, 'handleRequest'>;
    readonly joining: Pick<Joining, 'memberMoved'>;
    readonly memberCommands: Pick<MemberCommands, 'seenPeople' | 'seenMessages'>;
    readonly messageChecks: readonly MessageCheck[];
    readonly moderation: Moderation;
    readonly reactions: Reactions;
    readonly telegramPictures: Pick<TelegramPictures, 'stop'>;
    readonly userLanguages: UserLanguageService;
  };
  readonly untilStored: UntilStored;
  /** Of this bot: makes the keys of its updates different from those of others in the same database. */
  readonly botId: number;
  readonly commands: Pick<Commands, 'answer'>;
  readonly press: (query: CallbackQuery, key: string) => Promise<void>;
  readonly logChannel: LogChannelUpdates;
  readonly inline: InlineUpdates;
  /** Hears messages in private that are to become what the bot sends in a group. */
  readonly receiveContent: (message: Message, key: string) => Promise<void>;
};

/**
 * What is decided about a message, what is read about a chat, and what commands and presses do is repeated until it is
 * stored; an answer is sent once.
 */
export function createDispatcher({
  services,
  untilStored,
  botId,
  commands,
  press,
  logChannel,
  inline,
  receiveContent,
}: Tools): HandleUpdate {
  const { chatUpdates, memberCommands, moderation, userLanguages } = services;

  /** Who wrote it, and that it was written: for commands that come later. */
  async function learn(message: Message): Promise<void> {
    await Promise.all([
      untilStored(() => memberCommands.seenPeople.learn(message)),
      untilStored(() => memberCommands.seenMessages.learn(message)),
    ]);
  }

  /** Those who may have written nothing. */
  function learnOthers(update: Update): Promise<void> {
    const other = findOther(update);
    return other !== undefined && isGroup(other.chat)
      ? untilStored(() => memberCommands.seenPeople.learnUsers([other.user]))
      : Promise.resolve();
  }

  /** What one check deletes reaches no other. */
  async function moderate({
    message,
    edited_message,
    update_id,
  }: Update): Promise<'stays' | 'goes'> {
    const content = message ?? edited_message;
    if (content === undefined || !isGroup(content.chat)) {
      return 'stays';
    }
    for (const check of services.messageChecks) {
      if ((await untilStored(() => check(content, toKey(update_id)))) === 'goes') {
        return 'goes';
      }
    }
    return 'stays';
  }

  /** The same when the update is handled again. */
  const toKey = (updateId: number) => `${botId}.${updateId}`;

  function hearReaction({ message_reaction: reaction, update_id }: Update): Promise<void> {
    return reaction !== undefined && isGroup(reaction.chat)
      ? untilStored(() => services.reactions.reacted(reaction, toKey(update_id)))
      : Promise.resolve();
  }

  function answer(
    { message, callback_query: query, channel_post: post }: Update,
    heard: { readonly key: string; readonly verdict: Promise<'stays' | 'goes'> },
    inBackground: InBackground,
  ): void {
    if (message !== undefined) {
      if (isGroup(message.chat)) {
        inBackground(learn(message));
      }
      // Telegram may take ten seconds for an answer; the next message of the chat does not wait for it.
      inBackground(commands.answer({ ...heard, message }));
      inBackground(untilStored(() => logChannel.picked(message)));
      inBackground(untilStored(() => receiveContent(message, heard.key)));
    } else if (query !== undefined) {
      inBackground(press(query, heard.key));
    } else if (post !== undefined) {
      inBackground(untilStored(() => logChannel.posted(post)));
    }
  }

  return async (update, inBackground) => {
    learnLanguage(update, userLanguages);
    inBackground(learnOthers(update));
    const verdict = moderate(update);
    inBackground(verdict);
    inBackground(hearReaction(update));
    inBackground(untilStored(() => stopPicture(update, services.telegramPictures)));
    await untilStored(() => handleChatUpdate(update, chatUpdates, moderation.forgetAdministrators));
    answer(update, { key: toKey(update.update_id), verdict }, inBackground);
    answerElsewhere(update, { inline, untilStored, inBackground });
    const { my_chat_member: move, chat_join_request: request, chat_member: newcomer } = update;
    if (newcomer !== undefined) {
      // The lane is that of the person: no other waits.
      await untilStored(() => services.joining.memberMoved(newcomer, toKey(update.update_id)));
    }
    if (request !== undefined) {
      await untilStored(() => services.gate.handleRequest(request));
    }
    if (move !== undefined && !isPresent(move.new_chat_member)) {
      await untilStored(() => services.dueJobs.removeInChat(move.chat.id));
    }
  };
}

function learnLanguage(
  { message, edited_message, callback_query, ...moves }: Update,
  userLanguages: UserLanguageService,
): void {
  const content = message ?? edited_message ?? callback_query ?? moves.inline_query;
  const { from } =
    content ?? moves.my_chat_member ?? moves.chat_member ?? moves.chat_join_request ?? {};
  if (from?.is_bot === false) {
    userLanguages.learn(from.id, from.language_code);
  }
}

/** In chats that the bot does not see. The next letter that someone types does not wait for the answer to the last one. */
function answerElsewhere(
  { inline_query: query, chosen_inline_result: chosen, guest_message: guest }: Update,
  {
    inline,
    untilStored,
    inBackground,
  }: Pick<Tools, 'inline' | 'untilStored'> & { readonly inBackground: InBackground },
): void {
  if (query !== undefined) {
    inBackground(inline.answer(query));
  } else if (chosen !== undefined) {
    inBackground(untilStored(() => inline.chosen(chosen)));
  } else if (guest !== undefined) {
    inBackground(inline.answerGuest(guest));
  }
}

/** The button below a draft. */
async function stopPicture(
  { stopped_message_generation: stopped }: Update,
  telegramPictures: Pick<TelegramPictures, 'stop'>,
): Promise<void> {
  if (stopped !== undefined) {
    const { chat, draft_id: draftId } = stopped;
    await telegramPictures.stop(chat.id, chat.id, { draftId });
  }
}

/** Who came or went, asked to join, or pressed a button. */
function findOther({
  chat_member: move,
  callback_query: query,
  chat_join_request: request,
}: Update) {
  if (move !== undefined) {
    return { chat: move.chat, user: move.new_chat_member.user };
  }
  if (request !== undefined) {
    return { chat: request.chat, user: request.from };
  }
  return query?.message && { chat: query.message.chat, user: query.from };
}

/** Reads what an update says about a chat. Calls `forgetAdministrators` when they may have changed. */
async function handleChatUpdate(
  { my_chat_member, chat_member, message }: Update,
  chatUpdates: ChatUpdateHandler,
  forgetAdministrators: (chatId: number) => void,
): Promise<void> {
  if (my_chat_member !== undefined && isGroup(my_chat_member.chat)) {
    forgetAdministrators(my_chat_member.chat.id);
    await chatUpdates.botMoved(toBotMove(my_chat_member));
  } else if (chat_member !== undefined && isGroup(chat_member.chat)) {
    const { chat, old_chat_member, new_chat_member } = chat_member;
    if (isAdministrator(old_chat_member) || isAdministrator(new_chat_member)) {
      // The rights may have changed, too.
      forgetAdministrators(chat.id);
    }
    if (old_chat_member.status !== new_chat_member.status) {
      await chatUpdates.roleChanged(chat.id, new_chat_member.user.id);
    }
  } else if (message !== undefined && isGroup(message.chat)) {
    await handleServiceMessage(message, chatUpdates, forgetAdministrators);
  } else if (message !== undefined) {
    await handlePickedChat(message, chatUpdates);
  }
}

function toBotMove({ chat, from, old_chat_member, new_chat_member }: ChatMemberUpdated) {
  return {
    chatId: chat.id,
    title: chat.title ?? '',
    isForum: chat.is_forum === true,
    wasIn: isPresent(old_chat_member),
    isIn: isPresent(new_chat_member),
    mayDelete: new_chat_member.status === 'administrator' && new_chat_member.can_delete_messages,
    by: from.is_bot ? undefined : { telegramId: from.id, languageCode: from.language_code },
  };
}

function isAdministrator({ status }: ChatMember): boolean {
  return status === 'administrator' || status === 'creator';
}

async function handleServiceMessage(
  message: Message,
  chatUpdates: ChatUpdateHandler,
  forgetAdministrators: (chatId: number) => void,
): Promise<void> {
  const { chat, migrate_to_chat_id: newId, migrate_from_chat_id: oldId } = message;
  if (newId !== undefined) {
    await chatUpdates.upgraded(chat.id, newId);
  } else if (oldId !== undefined) {
    await chatUpdates.upgraded(oldId, chat.id);
  } else if (message.chat_owner_left !== undefined || message.chat_owner_changed !== undefined) {
    forgetAdministrators(chat.id);
    await chatUpdates.ownerChanged(chat.id);
  } else if (message.community_chat_added !== undefined) {
    await chatUpdates.communityChanged(chat.id, message.community_chat_added.community.id);
  } else if (message.community_chat_removed !== undefined) {
    await chatUpdates.communityChanged(chat.id, null);
  } else if (message.new_chat_title !== undefined) {
    await chatUpdates.renamed(chat.id, message.new_chat_title);
  } else {
    await handleTopicName(message, chatUpdates);
  }
}

/** Telegram's own limit. */
const maxNameLength = 128;

async function handleTopicName(message: Message, chatUpdates: ChatUpdateHandler): Promise<void> {
  const {
    forum_topic_created: created,
    forum_topic_edited: edited,
    reply_to_message: to,
  } = message;
  // General has no thread of its own.
  const topicId = message.message_thread_id ?? 0;
  const toTopic = (name: string) => ({
    chatId: message.chat.id,
    topicId,
    name: name.slice(0, maxNameLength),
  });
  const name = created?.name ?? edited?.name;
  if (name !== undefined && name !== '') {
    await chatUpdates.topicNamed(toTopic(name));
  } else if (
    message.is_topic_message === true &&
    to?.forum_topic_created !== undefined &&
    to.message_id === topicId
  ) {
    // A message that is no reply comes as a reply to the first message of its topic, which has its first name.
    await chatUpdates.topicSeen(toTopic(to.forum_topic_created.name));
  }
}

async function handlePickedChat(
  { chat, from, chat_shared: shared }: Message,
  chatUpdates: ChatUpdateHandler,
): Promise<void> {
  if (chat.type === 'private' && shared?.request_id === groupRequestId && shared.chat_id < 0) {
    const by = { telegramId: chat.id, languageCode: from?.language_code };
    await chatUpdates.picked(shared.chat_id, by, shared.title);
  }
}
