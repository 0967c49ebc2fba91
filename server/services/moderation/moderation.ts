/** Decides whether a message is deleted, and has it deleted. */
import { allMessageTypes, type MessageType, settingName } from '#contract/chats/message-types';
import { type Dependencies } from '#server/app/dependencies';
import { inboxRules } from '#server/lib/limits';

import { type Administrators } from './administrators.ts';
import { type Approvals } from './approvals.ts';
import { type ChatRules } from './chat-rules.ts';
import { deletableForMs } from './deletion-queue.ts';
import { type DeletionScheduler } from './deletion-scheduler.ts';
import { type IncomingMessage, readMessage } from './incoming-message.ts';
import { isServiceType, readMessageTypes } from './message-types.ts';

export type Moderation = ReturnType<typeof createMessageModeration>;

/** Who is answerable for a message: a member, or a channel (an ID below zero). */
export type Writer = {
  readonly telegramId: number;
  /** False while Telegram does not say whether it is an administrator, who is exempt. */
  readonly isCertain: boolean;
};

type Tools = {
  readonly rules: ChatRules;
  readonly administrators: Administrators;
  readonly approvals: Approvals;
  readonly deletions: DeletionScheduler;
};

export function createMessageModeration(
  { env, clock }: Pick<Dependencies, 'env' | 'clock'>,
  { rules, administrators, approvals, deletions }: Tools,
) {
  const addToAlbum = createAlbums(clock);
  const botId = env.botToken === undefined ? undefined : Number(env.botToken.split(':')[0]);

  /**
   * A service message says who caused it and not who wrote it, so it is exempt in no case. Returns whether the
   * message goes. An ephemeral one is not deleted, and counts as gone.
   */
  async function moderate(
    message: IncomingMessage,
    blocked: ReadonlySet<MessageType> | undefined,
  ): Promise<boolean> {
    const album = addToAlbum(message);
    const type =
      blocked && readMessageTypes(message.content).find((candidate) => blocked.has(candidate));
    if (type !== undefined && isServiceType(type)) {
      const setting = settingName(type);
      await deletions.deleteNow(
        toDeletions(message, { setting, messageIds: [message.messageId] }, clock()),
      );
      return true;
    }
    const setting = type === undefined ? album.blockedAs : settingName(type);
    return setting !== undefined && (await removeAlbum(message, setting, album)) !== undefined;
  }

  /** Undefined for a message that is exempt: of an administrator, the linked channel, an approved member, or the bot. */
  async function findWriter(message: IncomingMessage): Promise<Writer | undefined> {
    const { chatId, senderId, senderChatId } = message;
    if (isExempt(message, botId)) {
      return undefined;
    }
    // All who write in the name of a channel have the same sender id.
    const telegramId = senderChatId ?? senderId ?? 0;
    const status = await administrators.memberStatus(chatId, telegramId);
    const isMember = status === 'member' || status === 'unknown';
    return isMember && !(await approvals.isApproved(chatId, telegramId))
      ? { telegramId, isCertain: status === 'member' }
      : undefined;
  }

  /** Deletes the message with its album, now or when Telegram has said who its writer is. */
  async function removeAlbum(
    message: IncomingMessage,
    setting: string,
    album: Album,
  ): Promise<Writer | undefined> {
    const writer = await findWriter(message);
    if (writer !== undefined) {
      album.blockedAs ??= setting;
      const messages = toDeletions(message, { setting, messageIds: album.messageIds }, clock());
      await (writer.isCertain
        ? deletions.deleteNow(messages)
        : deletions.deleteUnlessAdministrator(messages, writer.telegramId));
    }
    return writer;
  }

  return {
    remember: createAlbumMemory({ addToAlbum, rules, botId }),
    /**
     * Decides about a message of the Bot API, new or edited. Resolves when the message stays, is deleted,
     * or its deletion is saved to be tried again. An ephemeral message that goes is only not heard. Rejects only
     * when the database fails.
     */
    handleMessage: async (raw: unknown): Promise<'stays' | 'goes'> => {
      const message = readMessage(raw);
      if (message === undefined) {
        return 'stays';
      }
      const blockedByTopic = await rules.get(message.chatId);
      const isGoing =
        blockedByTopic.size > 0 && (await moderate(message, blockedByTopic.get(message.topicId)));
      return isGoing ? 'goes' : 'stays';
    },
    /** Undefined for a message that is exempt. Rejects when the database fails. */
    findWriter,

    /**
     * Deletes a message that another service finds unwanted, with its album, and counts the deletion under `setting`.
     * Without one it goes only if its album does. Resolves to who wrote what goes; undefined where it stays.
     */
    remove: async (
      message: IncomingMessage,
      setting: string | undefined,
    ): Promise<Writer | undefined> => {
      const album = addToAlbum(message);
      const reason = setting ?? album.blockedAs;
      return reason === undefined ? undefined : removeAlbum(message, reason, album);
    },

    /** What is blocked in a topic (0 is General), in the order in which settings are listed. */
    async readBlockedTypes(chatId: number, topicId: number): Promise<readonly MessageType[]> {
      const blocked = (await rules.get(chatId)).get(topicId);
      return allMessageTypes.filter((type) => blocked?.has(type));
    },
    /** To be called when the administrators of a chat may have changed. */
    forgetAdministrators: administrators.forget,
  };
}

function toDeletions(
  { chatId, topicId, sentAt }: IncomingMessage,
  { setting, messageIds }: { readonly setting: string; readonly messageIds: Iterable<number> },
  now: number,
) {
  return [...messageIds]
    .filter((messageId) => messageId !== 0)
    .map((messageId) => ({
      chatId,
      messageId,
      setting,
      giveUpAt: (sentAt ?? now) + deletableForMs,
      topicId,
    }));
}

/** Telegram itself, in whose name the posts of a linked channel arrive. */
const telegramId = 777_000;

/** Whether the message alone shows an exemption. Other messages may still be those of an administrator. */
function isExempt(
  { chatId, senderId, senderChatId, isAutomaticForward }: IncomingMessage,
  botId: number | undefined,
): boolean {
  const isAnonymousAdministrator = senderChatId === chatId;
  const hasNoSender = senderId === undefined && senderChatId === undefined;
  const isOwn = senderId !== undefined && senderId === botId;
  return (
    isAnonymousAdministrator ||
    isAutomaticForward ||
    hasNoSender ||
    isOwn ||
    senderId === telegramId
  );
}

type Album = {
  /** In the order in which they arrived. */
  readonly messageIds: Set<number>;
  /** The setting for which the first message of it was deleted. */
  blockedAs: string | undefined;
};

/**
 * Returns a function to be called with a message that another process has handled, so that its album is known; it has no
 * other effect.
 */
function createAlbumMemory({
  addToAlbum,
  rules,
  botId,
}: {
  readonly addToAlbum: (message: IncomingMessage) => Album;
  readonly rules: ChatRules;
  readonly botId: number | undefined;
}): (raw: unknown) => Promise<void> {
  return async (raw) => {
    const message = readMessage(raw);
    if (message?.albumId === undefined) {
      return;
    }
    const album = addToAlbum(message);
    const blocked = (await rules.get(message.chatId)).get(message.topicId);
    const type = readMessageTypes(message.content).find((candidate) => blocked?.has(candidate));
    if (type !== undefined && !isServiceType(type) && !isExempt(message, botId)) {
      album.blockedAs ??= settingName(type);
    }
    if (album.blockedAs !== undefined) {
      // They were deleted when the blocked one was handled.
      album.messageIds.clear();
    }
  };
}

/**
 * Returns a function that adds a message to its album and returns the album; a single message is an album
 * of its own. Each message of an album arrives alone, none says that it is the last, and only one has
 * the caption, so albums are remembered for a while: when one message is blocked, all are.
 */
function createAlbums(clock: () => number): (message: IncomingMessage) => Album {
  /** Those that were added to least recently are the first. */
  const albums = new Map<string, { readonly album: Album; readonly expiresAt: number }>();

  return ({ chatId, albumId, messageId }) => {
    if (albumId === undefined) {
      return { messageIds: new Set([messageId]), blockedAs: undefined };
    }
    const now = clock();
    for (const [key, { expiresAt }] of albums) {
      if (expiresAt > now) {
        break;
      }
      albums.delete(key);
    }
    const key = `${chatId}:${albumId}`;
    const album = albums.get(key)?.album ?? { messageIds: new Set(), blockedAs: undefined };
    album.messageIds.add(messageId);
    albums.delete(key);
    albums.set(key, { album, expiresAt: now + inboxRules.albumMs });
    return album;
  };
}
