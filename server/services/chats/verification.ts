/**
 * Verifies that a user may manage a chat: the bot sends its owner a code, and the user who enters the
 * code has the owner's consent. The owner needs none where launch data proves who they are. On a server
 * without a bot the code is printed on the console.
 */
import { errorTexts } from '#contract/endpoints/error-texts';
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createChatRepository, type StoredChat } from '#server/db/chats';
import { createLanguageRepository } from '#server/db/languages';
import { createManagerRepository, type Manager } from '#server/db/managers';
import { createTopicRepository } from '#server/db/topics';
import { AppError } from '#server/lib/errors';
import { type Say, type Sentence } from '#server/lib/languages';
import { codeMinutes, limits } from '#server/lib/limits';
import { type Caller } from '#server/lib/requester';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';
import { type ChatMember, type Telegram } from '#server/upstream/telegram/telegram';
import { type Launches, type OneTimePasswords, type UserLanguageService } from '#services/accounts';

import { findOwner, readRole } from './access.ts';
import { type ChatEvents, type ChatUpgrades } from './events.ts';
import { oneLine } from './one-line.ts';
import { chatTexts } from './texts.ts';

type Tools = {
  readonly launches: Launches;
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly userLanguages: UserLanguageService;
  readonly events: ChatEvents;
  readonly upgrades: ChatUpgrades;
};

/** A user who wants to manage a chat. */
type Claim = { readonly chatId: number; readonly telegramId: number };

/** A request for a code, in the language of the user. */
type CodeRequest = Claim & { readonly language: Language };

/** `givenId` is the ID that the user entered; the chat may have another one since an upgrade. */
type Attempt = Claim & { readonly givenId: number };

/** What is stored after the right code. */
type Verified = {
  readonly chat: StoredChat;
  readonly manager: Pick<Manager, 'telegramId' | 'ownerId' | 'role'>;
};

type Method = {
  /** Sends a code; returns what to tell the user. */
  readonly request: (request: CodeRequest) => Promise<Sentence>;
  readonly confirm: (attempt: Attempt, code: string) => Promise<Verified>;
};

export function createChatVerification(deps: Dependencies, tools: Tools) {
  const { telegram, clock, env } = deps;
  const { db } = deps.database;
  const chats = createChatRepository(db);
  const method = telegram ? verifyByOwner(telegram, deps, tools) : verifyByConsole(deps, tools);

  async function store({ chat, manager }: Verified): Promise<number> {
    const now = clock();
    // Settings that were made without a bot are enforced from now on.
    await tools.events.publishWith(chat.chatId, { kind: 'topics' }, async (tx) => {
      const stored = createChatRepository(tx);
      const managers = createManagerRepository(tx);
      if ((await stored.find(chat.chatId))?.isDemo === true && !chat.isDemo) {
        await managers.removeAll(chat.chatId);
      }
      await stored.save(chat, now);
      await createTopicRepository(tx).add(chat.chatId, generalTopic, now);
      await managers.save({ chatId: chat.chatId, ...manager, verifiedAt: now, checkedAt: now });
    });
    return chat.chatId;
  }

  return {
    /** Whether an owner can do without a code: launch data is signed with the token of the bot. */
    canClaim: telegram !== undefined && env.botToken !== undefined,

    /**
     * Makes the owner of a chat its manager without a code, and returns its current ID. A session alone does
     * not prove enough: it may have begun with a password, or have been stolen. Throws `launch_too_old`,
     * `not_owner`, `bot_not_in_chat`, `bot_cannot_delete`, `rate_limited` or `telegram_unavailable`.
     */
    async claim(
      { chatId: givenId, telegramId }: Claim,
      launch: { readonly initData: string; readonly caller: Caller },
    ): Promise<number> {
      if (telegram === undefined) {
        throw new AppError('not_found');
      }
      await tools.limiter.take(limits.chatRequests, telegramId);
      if (!(await tools.launches.proves(telegramId, launch))) {
        throw new AppError('launch_too_old');
      }
      const { chatId, title } = await readChat(
        telegram,
        await chats.currentId(givenId),
        tools.upgrades,
      );
      const { member } = await telegram.member(chatId, telegramId);
      if (member.status !== 'creator') {
        throw new AppError('not_owner');
      }
      return store({
        chat: { chatId, name: title, isDemo: false },
        manager: { telegramId, ownerId: telegramId, role: 'creator' },
      });
    },

    /**
     * Sends the code and returns what to tell the user. Throws `bot_not_in_chat`, `owner_unknown`,
     * `chat_not_verified` for a user who is not in the chat, `bot_cannot_delete`, `owner_unreachable`,
     * `rate_limited` or `telegram_unavailable`; then no code is sent.
     */
    async request(request: CodeRequest): Promise<Sentence> {
      await tools.limiter.take(limits.chatRequests, request.telegramId);
      return method.request({ ...request, chatId: await chats.currentId(request.chatId) });
    },

    /**
     * Checks the code, makes the user a manager of the chat and returns its current ID. Throws
     * `invalid_code`, `rate_limited`, or what `request` throws.
     */
    async verify({ chatId, telegramId }: Claim, code: string): Promise<number> {
      await tools.limiter.take(limits.chatRequests, telegramId);
      const attempt = { chatId: await chats.currentId(chatId), givenId: chatId, telegramId };
      return store(await method.confirm(attempt, code));
    },
  };
}

const generalTopic = 0;
const purpose = 'chat';

/**
 * What a code is valid for: this chat, this user and this owner. It becomes useless when the chat gets
 * another owner.
 */
function codeSubject({ chatId, telegramId }: Claim, owner: number | 'demo'): string {
  return `${chatId}:${telegramId}:${owner}`;
}

function describeMember({ firstName, username, telegramId }: ChatMember, say: Say): string {
  const texts = say(chatTexts);
  const name = oneLine(firstName) || texts.namelessMember;
  return username === undefined
    ? texts.memberWithoutUsername(name, telegramId)
    : texts.memberWithUsername(name, username, telegramId);
}

/** Asks Telegram for a chat in which the bot may delete messages. */
async function readChat(telegram: Telegram, givenId: number, upgrades: ChatUpgrades) {
  const { chatId, title, kind } = await telegram.readChat(givenId);
  if (chatId !== givenId) {
    await upgrades.upgrade(givenId, chatId);
  }
  // Whether a user has a private chat with the bot must not be revealed.
  if (kind === 'private') {
    throw new AppError('bot_not_in_chat');
  }
  // Checked first: without its rights the bot may not see the members of the chat.
  if (!(await telegram.mayDeleteMessages(chatId))) {
    throw new AppError('bot_cannot_delete');
  }
  return { chatId, title };
}

/** With a bot: the code goes to the owner of the chat. */
function verifyByOwner(
  telegram: Telegram,
  { database: { db } }: Dependencies,
  { messages, oneTimePasswords, upgrades, userLanguages }: Tools,
): Method {
  const languages = createLanguageRepository(db);

  /** Asks Telegram for the chat, its owner, and the role of the user. */
  async function readFromTelegram({ chatId: givenId, telegramId }: Claim) {
    const { chatId, title } = await readChat(telegram, givenId, upgrades);
    const { administrators } = await telegram.administrators(chatId);
    const owner = findOwner(administrators);
    if (owner === undefined) {
      throw new AppError('owner_unknown');
    }
    // Users who are not in the chat would only bother the owner, and lose access at the next check.
    const requester = await readRole(telegram, { chatId, administrators }, telegramId);
    if (requester === undefined) {
      throw new AppError('chat_not_verified', {
        detail: (say) => say(chatTexts).notInChat,
      });
    }
    return { chatId, title, owner, ...requester };
  }

  async function sendToOwner(
    owner: ChatMember,
    { chatId, language }: CodeRequest,
    { requester, title: chatTitle }: { requester: ChatMember; title: string },
  ): Promise<Sentence> {
    const title = oneLine(chatTitle);
    const isOwn = owner.telegramId === requester.telegramId;
    const request = {
      purpose,
      subject: codeSubject({ chatId, telegramId: requester.telegramId }, owner.telegramId),
      recipient: owner.telegramId,
      // Counted separately, so that requests of others cannot use up those of the owner.
      limitKey: isOwn ? `${owner.telegramId}:own` : String(owner.telegramId),
    } as const;

    const code = await oneTimePasswords.issue(request);
    try {
      // An owner who never told theirs may understand what their group speaks.
      const fallback = isOwn ? language : await languages.findChat(chatId);
      const to = await userLanguages.readLanguage(owner.telegramId, { fallback });
      const sent = await messages.send(owner.telegramId, to.language, (say) => {
        const texts = say(chatTexts);
        const text = isOwn
          ? texts.codeForYou(code, title, codeMinutes)
          : texts.codeForOther(code, title, describeMember(requester, say), codeMinutes);
        return { text, code };
      });
      if (sent === 'unreachable') {
        const link = `https://t.me/${await telegram.username()}?start=verify`;
        throw new AppError('owner_unreachable', {
          detail: (say) => `${say(errorTexts).owner_unreachable} ${link}`,
        });
      }
    } catch (error) {
      await oneTimePasswords.refundSend(request);
      throw error;
    }
    return (say) => (isOwn ? say(chatTexts).sentToYou(title) : say(chatTexts).sentToOwner(title));
  }

  /** The code may have been made for the ID before an upgrade. */
  async function checkCode({ givenId, ...claim }: Attempt, owner: ChatMember, code: string) {
    const subject = codeSubject(claim, owner.telegramId);
    try {
      await oneTimePasswords.verify({ purpose, subject, code });
    } catch (error) {
      const former = codeSubject({ ...claim, chatId: givenId }, owner.telegramId);
      if (former === subject || !(error instanceof AppError) || error.code !== 'invalid_code') {
        throw error;
      }
      await oneTimePasswords.verify({ purpose, subject: former, code });
    }
  }

  return {
    async request(request) {
      const { chatId, title, owner, member } = await readFromTelegram(request);
      return sendToOwner(owner, { ...request, chatId }, { requester: member, title });
    },

    async confirm(attempt, code) {
      const { chatId, title, owner, role } = await readFromTelegram(attempt);
      await checkCode(attempt, owner, code);
      return {
        chat: { chatId, name: title, isDemo: false },
        manager: { telegramId: attempt.telegramId, ownerId: owner.telegramId, role },
      };
    },
  };
}

/** Without a bot: the code is printed on the server's console, so the operator decides. */
function verifyByConsole(
  { database: { db } }: Dependencies,
  { messages, oneTimePasswords }: Tools,
): Method {
  const chats = createChatRepository(db);

  /** A chat that its owner has verified stays with its managers when the bot is gone. */
  async function refuseVerifiedWithBot(chatId: number): Promise<void> {
    if ((await chats.find(chatId))?.isDemo === false) {
      throw new AppError('telegram_unavailable', {
        detail: (say) => say(chatTexts).verifiedWithBot,
      });
    }
  }

  return {
    async request({ language, ...claim }) {
      await refuseVerifiedWithBot(claim.chatId);
      const { chatId, telegramId: recipient } = claim;
      const subject = codeSubject(claim, 'demo');
      const code = await oneTimePasswords.issue({ purpose, subject, recipient });
      // On the console: for the operator, in English like the log.
      const text = `${code} is the code to manage the chat ${chatId} in Nori (demo: no bot connected).`;
      await messages.send(recipient, language, () => ({ text, code }));
      return (say) => say(chatTexts).onConsole;
    },

    async confirm(claim, code) {
      const { chatId, telegramId } = claim;
      await refuseVerifiedWithBot(chatId);
      await oneTimePasswords.verify({ purpose, subject: codeSubject(claim, 'demo'), code });
      return {
        chat: { chatId, name: '', isDemo: true },
        manager: { telegramId, ownerId: telegramId, role: 'creator' },
      };
    },
  };
}
