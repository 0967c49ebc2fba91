import { type Dependencies } from '#server/app/dependencies';
/**
 * Proves that a person may manage a chat: its owner gets a code by Telegram, and who enters the code
 * has the owner's word. On a server without a bot chats are taken on trust, and labelled so.
 */
import { createChatRepository, type StoredChat } from '#server/db/chats';
import { createManagerRepository, type Manager } from '#server/db/managers';
import { createTopicRepository } from '#server/db/topics';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';
import { type ChatMember, type Telegram } from '#server/upstream/telegram/telegram';
import { type OneTimePasswords } from '#services/accounts';

import { ownerOf, roleIn } from './access.ts';
import { type ChatEvents } from './events.ts';
import { chatTexts } from './texts.ts';
import { type ChatUpgrades } from './upgrades.ts';

type Tools = {
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly events: ChatEvents;
  readonly upgrades: ChatUpgrades;
};

/** Somebody who wants to manage a chat. */
type Wish = { readonly chatId: number; readonly telegramId: number };

/** `askedId` is the id that the person knows; the chat may have got another one since. */
type Attempt = Wish & { readonly askedId: number };

/** What a right code proves. */
type Proof = {
  readonly chat: StoredChat;
  readonly manager: Pick<Manager, 'telegramId' | 'ownerId' | 'role'>;
};

/** How a wish is proven: `request` sends a code and says where to, `confirm` takes it. */
type Way = {
  readonly request: (wish: Wish) => Promise<string>;
  readonly confirm: (attempt: Attempt, code: string) => Promise<Proof>;
};

export function createChatVerification(deps: Dependencies, tools: Tools) {
  const { telegram, clock } = deps;
  const { db } = deps.database;
  const chats = createChatRepository(db);
  const way = telegram ? byOwner(telegram, tools) : onTrust(deps, tools);

  return {
    /**
     * Sends the code and answers what to tell the person who asked. Nothing is sent when something
     * is missing: throws `bot_not_in_chat`, `owner_unknown`, `chat_not_verified` for somebody who is
     * not in the chat, `bot_cannot_delete`, `owner_unreachable`, `rate_limited` or
     * `telegram_unavailable`.
     */
    async request({ chatId, telegramId }: Wish): Promise<string> {
      await tools.limiter.take(limits.chatRequests, telegramId);
      return way.request({ chatId: await chats.presentId(chatId), telegramId });
    },

    /**
     * Takes the code, makes the person a manager of the chat and answers its present id. Throws
     * `invalid_code`, `rate_limited`, or what `request` throws; only a code that counted is used up.
     */
    async verify({ chatId, telegramId }: Wish, code: string): Promise<number> {
      await tools.limiter.take(limits.chatRequests, telegramId);
      const attempt = { chatId: await chats.presentId(chatId), askedId: chatId, telegramId };
      const { chat, manager } = await way.confirm(attempt, code);

      const now = clock();
      await db.transaction().execute(async (tx) => {
        const stored = createChatRepository(tx);
        const managers = createManagerRepository(tx);
        if ((await stored.find(chat.chatId))?.isDemo === true && !chat.isDemo) {
          await managers.removeAll(chat.chatId);
        }
        await stored.save(chat, now);
        await createTopicRepository(tx).add(chat.chatId, generalTopic, now);
        await managers.save({ chatId: chat.chatId, ...manager, verifiedAt: now, checkedAt: now });
      });
      // What was set on trust holds from now on.
      tools.events.publish(chat.chatId, { kind: 'topics' });
      return chat.chatId;
    },
  };
}

const generalTopic = 0;
const purpose = 'chat';

/**
 * What a code opens: this chat, for this person, on the word of this owner. A code for one chat or
 * asked for by one person opens nothing else, and dies when the chat changes hands.
 */
function subjectOf({ chatId, telegramId }: Wish, owner: number | 'demo'): string {
  return `${chatId}:${telegramId}:${owner}`;
}

/** With a bot: Telegram says who owns the chat, and the owner is asked. */
function byOwner(telegram: Telegram, { messages, oneTimePasswords, upgrades }: Tools): Way {
  /** What Telegram says of the chat, its owner and the person who asks. */
  async function learn({ chatId: askedId, telegramId }: Wish) {
    const { chatId, title, kind } = await telegram.readChat(askedId);
    if (chatId !== askedId) {
      await upgrades.upgrade(askedId, chatId);
    }
    // Somebody's private chat with the bot is nobody's to ask about, not even whether there is one.
    if (kind === 'private') {
      throw new AppError('bot_not_in_chat');
    }
    // First of all: without its rights the bot may not see who else is in the chat.
    if (!(await telegram.mayDeleteMessages(chatId))) {
      throw new AppError('bot_cannot_delete');
    }
    const { administrators } = await telegram.administrators(chatId);
    const owner = ownerOf(administrators);
    if (owner === undefined) {
      throw new AppError('owner_unknown');
    }
    // Others would only pester the owner, and would lose the chat again at the next check.
    const asker = await roleIn(telegram, { chatId, administrators }, telegramId);
    if (asker === undefined) {
      throw new AppError('chat_not_verified', { detail: chatTexts.notInChat });
    }
    return { chatId, title, owner, ...asker };
  }

  async function sendToOwner(
    owner: ChatMember,
    { asker, chatId, title }: { asker: ChatMember; chatId: number; title: string },
  ): Promise<string> {
    const isOwn = owner.telegramId === asker.telegramId;
    const request = {
      purpose,
      subject: subjectOf({ chatId, telegramId: asker.telegramId }, owner.telegramId),
      recipient: owner.telegramId,
      // Counted apart, so that others who ask cannot use up what the owner needs.
      limitKey: isOwn ? `${owner.telegramId}:own` : String(owner.telegramId),
    } as const;

    const code = await oneTimePasswords.issue(request);
    const text = chatTexts.code({ code, title, asker, isOwn });
    try {
      if ((await messages.send(owner.telegramId, { text, code })) === 'unreachable') {
        const detail = chatTexts.ownerUnreachable(await telegram.username());
        throw new AppError('owner_unreachable', { detail });
      }
    } catch (error) {
      await oneTimePasswords.takeBack(request);
      throw error;
    }
    return isOwn ? chatTexts.sentToYou(title) : chatTexts.sentToOwner(title);
  }

  /** The code was made for the id that the chat had then: the one before an upgrade, or the one after. */
  async function takeCode({ askedId, ...wish }: Attempt, owner: ChatMember, code: string) {
    const subject = subjectOf(wish, owner.telegramId);
    try {
      await oneTimePasswords.verify({ purpose, subject, code });
    } catch (error) {
      const former = subjectOf({ ...wish, chatId: askedId }, owner.telegramId);
      if (former === subject || !(error instanceof AppError) || error.code !== 'invalid_code') {
        throw error;
      }
      await oneTimePasswords.verify({ purpose, subject: former, code });
    }
  }

  return {
    async request(wish) {
      const { chatId, title, owner, member } = await learn(wish);
      return sendToOwner(owner, { asker: member, chatId, title });
    },

    async confirm(attempt, code) {
      const { chatId, title, owner, role } = await learn(attempt);
      await takeCode(attempt, owner, code);
      return {
        chat: { chatId, name: title, isDemo: false },
        manager: { telegramId: attempt.telegramId, ownerId: owner.telegramId, role },
      };
    },
  };
}

/** Without a bot: the code shows on the server's console, so whoever runs the server decides. */
function onTrust({ database: { db } }: Dependencies, { messages, oneTimePasswords }: Tools): Way {
  const chats = createChatRepository(db);

  /** A chat that an owner vouched for is not given away on trust when the bot is gone. */
  async function refuseTakingOver(chatId: number): Promise<void> {
    if ((await chats.find(chatId))?.isDemo === false) {
      throw new AppError('telegram_unavailable', { detail: chatTexts.verifiedWithBot });
    }
  }

  return {
    async request(wish) {
      await refuseTakingOver(wish.chatId);
      const { chatId, telegramId: recipient } = wish;
      const subject = subjectOf(wish, 'demo');
      const code = await oneTimePasswords.issue({ purpose, subject, recipient });
      await messages.send(recipient, { text: chatTexts.demoCode({ code, chatId }), code });
      return chatTexts.onConsole;
    },

    async confirm(wish, code) {
      const { chatId, telegramId } = wish;
      await refuseTakingOver(chatId);
      await oneTimePasswords.verify({ purpose, subject: subjectOf(wish, 'demo'), code });
      return {
        chat: { chatId, name: '', isDemo: true },
        manager: { telegramId, ownerId: telegramId, role: 'creator' },
      };
    },
  };
}
