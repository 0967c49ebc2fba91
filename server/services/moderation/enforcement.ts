/** Keeps the promise of the settings: a message of a blocked type is deleted, be it new or edited. */
import { allMessageTypes, type MessageType, settingName } from '#contract/chats/message-types';
import { type Dependencies } from '#server/app/dependencies';

import { type Administrators } from './administrators.ts';
import { type Album, createAlbums } from './albums.ts';
import { type ChatRuleBook } from './chat-rules.ts';
import { type DueDeletions } from './due-deletions.ts';
import { isExempt } from './exemptions.ts';
import { type IncomingMessage, readMessage } from './incoming-message.ts';
import { typesOf } from './message-kinds.ts';

export type Enforcement = {
  /**
   * Decides about a message, be it new or edited. Resolves when it is dealt with, or when its
   * deletion is written down and will be tried again. Rejects only when the database fails.
   */
  readonly handle: (message: unknown) => Promise<void>;
  /** What is blocked in a topic (0 is General), in the order in which settings are listed. */
  readonly blockedIn: (chatId: number, topicId: number) => Promise<readonly MessageType[]>;
  /** Somebody has become an administrator of a chat, or is none any more. */
  readonly forgetAdministrators: (chatId: number) => void;
};

type Tools = {
  readonly rules: ChatRuleBook;
  readonly administrators: Administrators;
  readonly dueDeletions: DueDeletions;
};

/** Telegram deletes nothing older for a bot. */
const deletableForMs = 48 * 3_600_000;

export function createEnforcement(
  { env, clock }: Pick<Dependencies, 'env' | 'clock'>,
  { rules, administrators, dueDeletions }: Tools,
): Enforcement {
  const albums = createAlbums(clock);
  const botId = env.botToken === undefined ? undefined : Number(env.botToken.split(':')[0]);

  async function remove(
    message: IncomingMessage,
    type: MessageType,
    album: Album | undefined,
  ): Promise<void> {
    const { chatId, messageId, senderId, senderChatId, sentAt } = message;
    // Who writes in a channel's name has a sender that many share.
    const writer = senderChatId ?? senderId ?? 0;
    const standing = writer === 0 ? 'other' : await administrators.standing(chatId, writer);
    if (standing === 'administrator' || standing === 'out of reach') {
      return;
    }
    if (album !== undefined) {
      album.blockedAs ??= type;
    }
    const deletions = [...(album?.messageIds ?? [messageId])].map((id) => ({
      chatId,
      messageId: id,
      setting: settingName(type),
      giveUpAt: (sentAt ?? clock()) + deletableForMs,
    }));
    await (standing === 'unknown'
      ? dueDeletions.noteUndecided(deletions, writer)
      : dueDeletions.deleteNow(deletions));
  }

  async function decide(
    message: IncomingMessage,
    blocked: ReadonlySet<MessageType> | undefined,
  ): Promise<void> {
    const album =
      message.albumId === undefined
        ? undefined
        : albums.add(message.chatId, message.albumId, message.messageId);
    const type = blockedType(message, blocked) ?? album?.blockedAs;
    if (type !== undefined && !isExempt(message, botId)) {
      await remove(message, type, album);
    }
  }

  return {
    async handle(raw) {
      const message = readMessage(raw);
      if (message === undefined) {
        return;
      }
      const ofChat = await rules.of(message.chatId);
      if (ofChat.size > 0) {
        await decide(message, ofChat.get(message.topicId));
      }
    },
    async blockedIn(chatId, topicId) {
      const blocked = (await rules.of(chatId)).get(topicId);
      return allMessageTypes.filter((type) => blocked?.has(type));
    },
    forgetAdministrators: administrators.forget,
  };
}

function blockedType(
  { content }: IncomingMessage,
  blocked: ReadonlySet<MessageType> | undefined,
): MessageType | undefined {
  return blocked && typesOf(content).find((type) => blocked.has(type));
}
