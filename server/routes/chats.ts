/** Chats: adding and verifying them, their settings and values, their history, their members, and what happens in them. */
import { type Hono } from 'hono';

import { presets } from '#contract/chats/presets';
import { valuePresetNames } from '#contract/chats/value-presets';
import {
  followChat,
  preparePick,
  readChatHealth,
  readDeletions,
} from '#contract/endpoints/chat-activity';
import { changeSettings, listChanges, revertChange } from '#contract/endpoints/chat-changes';
import { requestContent, saveContent, uploadMedia } from '#contract/endpoints/chat-contents';
import { listJoins, settleJoin } from '#contract/endpoints/chat-joins';
import {
  type Action,
  listActions,
  listApprovals,
  listWarnings,
  type Person,
  removeApproval,
  removeWarnings,
  undoAction,
} from '#contract/endpoints/chat-members';
import { readChatNumbers } from '#contract/endpoints/chat-numbers';
import {
  changeValues,
  pickLogChannel,
  readValues,
  wholeChat,
} from '#contract/endpoints/chat-values';
import {
  addChat,
  addTopic,
  claimChat,
  listChats,
  readChat,
  readTopic,
  setChatLanguage,
  setSetting,
  verifyChat,
} from '#contract/endpoints/chats';
import { answerGate, openGate } from '#contract/endpoints/gate';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { ReceivedFile } from '#server/http/body';
import { onForm, onStream, onUser, on } from '#server/http/on';
import { getCaller, requireTelegramId, requireUser, toMessage } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { type Services } from '#server/services/services';
import {
  chatTexts,
  type ManagedChat,
  type RecordedChange,
  toPlace,
  wholeChatId,
} from '#services/chats';
import { type MemberAction } from '#services/members';

export function addChatRoutes(
  app: Hono<AppEnv>,
  { chats, chatChanges, chatVerification }: Services,
): void {
  onUser(app, listChats, async (_input, c) => {
    const telegramId = requireTelegramId(c);
    const [managed, unverified, newest] = await Promise.all([
      chats.list(telegramId),
      chats.unverified(telegramId),
      chats.newest(telegramId),
    ]);
    return {
      chats: managed.map(({ chatId, name, isDemo }) => ({
        chat_id: chatId,
        chat_name: name,
        is_demo: isDemo,
      })),
      unverified: unverified.map(({ chatId, name, mayDelete }) => ({
        chat_id: chatId,
        chat_name: name,
        may_delete: mayDelete,
      })),
      ...(newest && { newest: { chat_id: newest.chatId, added_at: newest.addedAt } }),
    };
  });

  onUser(app, addChat, async ({ chat_id }, c) => {
    const claim = toClaim(chat_id, c);
    return toMessage(c, await chatVerification.request({ ...claim, language: c.get('language') }));
  });

  onUser(app, verifyChat, async ({ chat_id, otp }, c) => {
    const chatId = await chatVerification.verify(toClaim(chat_id, c), otp);
    return { chat: toWireChat(await chats.read(requireTelegramId(c), chatId)) };
  });

  onUser(app, claimChat, async ({ chat_id, init_data }, c) => {
    const chatId = await chatVerification.claim(toClaim(chat_id, c), {
      initData: init_data,
      caller: getCaller(c),
    });
    return { chat: toWireChat(await chats.read(requireTelegramId(c), chatId)) };
  });

  onUser(app, readChat, async ({ chat_id }, c) =>
    toWireChat(await chats.read(requireTelegramId(c), toChatId(chat_id))),
  );

  onUser(app, readTopic, async ({ chat_id, topic_id }, c) => ({
    topic_id,
    settings: await chats.readTopic(requireTelegramId(c), toChatId(chat_id), Number(topic_id)),
  }));

  onUser(app, addTopic, async ({ chat_id, topic_id }, c) => ({
    topic_id,
    settings: await chats.addTopic(requireTelegramId(c), toChatId(chat_id), Number(topic_id)),
  }));

  onUser(app, setSetting, async ({ chat_id, topic_id, setting_name, value }, c) => {
    await chatChanges.toggle(requireTelegramId(c), {
      chatId: toChatId(chat_id),
      topicId: Number(topic_id),
      name: setting_name,
      isBlocked: value,
    });
    return { setting_name, value };
  });

  onUser(app, setChatLanguage, ({ chat_id, language }, c) =>
    chatChanges.setLanguage(requireTelegramId(c), toChatId(chat_id), language),
  );
}

/** Changes of many settings at once, and the history of all changes. */
export function addChatChangeRoutes(app: Hono<AppEnv>, { chatChanges }: Services): void {
  onUser(app, changeSettings, async ({ chat_id, kind, preset, topics }, c) => {
    const change = await chatChanges.change(requireTelegramId(c), {
      chatId: toChatId(chat_id),
      kind,
      preset,
      wanted: new Map(Object.entries(topics).map(([id, settings]) => [Number(id), settings])),
    });
    return { change: change && toWireChange(change) };
  });

  onUser(app, listChanges, async ({ chat_id, before }, c) => {
    const chatId = toChatId(chat_id);
    const { changes, hasMore } = await chatChanges.list(requireTelegramId(c), chatId, before);
    return { changes: changes.map(toWireChange), has_more: hasMore };
  });

  onUser(app, revertChange, async ({ chat_id, change_id, kind }, c) => {
    const { change, skipped } = await chatChanges.revert(requireTelegramId(c), {
      chatId: toChatId(chat_id),
      changeId: change_id,
      kind,
    });
    return { change: change && toWireChange(change), skipped };
  });
}

/** Health, deletions, numbers, the stream of events, and picking a chat in Telegram. */
export function addChatActivityRoutes(
  app: Hono<AppEnv>,
  { chats, chatHealth, chatNumbers, chatStreams }: Services,
): void {
  onUser(app, readChatHealth, ({ chat_id }, c) =>
    chatHealth.read(requireTelegramId(c), toChatId(chat_id)),
  );

  onUser(app, readDeletions, ({ chat_id }, c) =>
    chatHealth.deletions(requireTelegramId(c), toChatId(chat_id)),
  );

  onUser(app, readChatNumbers, ({ chat_id, ...span }, c) =>
    chatNumbers.read(requireTelegramId(c), toChatId(chat_id), span),
  );

  onStream(app, followChat, ({ chat_id }, c, stream) =>
    chatStreams.open(requireUser(c), toChatId(chat_id), stream),
  );

  onUser(app, preparePick, async (_input, c) => ({
    request_id: await chats.preparePick(requireTelegramId(c)),
  }));
}

function toClaim(chatId: string, c: AppContext) {
  return { telegramId: requireTelegramId(c), chatId: toChatId(chatId) };
}

/** Refuses IDs that a number cannot hold exactly: sixteen digits may be too many, and Telegram has no such chat. */
function toChatId(text: string): number {
  const chatId = Number(text);
  if (!Number.isSafeInteger(chatId)) {
    throw new AppError('invalid_input', { detail: (say) => say(chatTexts).malformedChatId });
  }
  return chatId;
}

function toWireChat({
  chatId,
  name,
  isDemo,
  language,
  languages,
  topics,
  topicNames,
}: ManagedChat) {
  return {
    chat_id: chatId,
    chat_name: name,
    is_demo: isDemo,
    language: language ?? null,
    languages: [...languages],
    topics: Object.fromEntries(topics),
    topic_names: Object.fromEntries(topicNames),
  };
}

function toWireChange(change: RecordedChange) {
  const { id, changedAt, changedBy, kind, preset, items, values, language } = change;
  return {
    change_id: id,
    changed_at: changedAt,
    changed_by: { telegram_id: changedBy.telegramId, name: changedBy.name },
    kind,
    preset: [...presets, ...valuePresetNames].find((name) => name === preset) ?? null,
    items: items.map(({ topicId, name, was, becomes }) => ({
      topic_id: topicId,
      setting_name: name,
      was,
      becomes,
    })),
    language,
    values: values.map(({ topicId, name, was, becomes }) => ({
      place: toPlace(topicId),
      name,
      was,
      becomes,
    })),
  };
}

const toTopicId = (place: string) => (place === wholeChat ? wholeChatId : Number(place));

/** Values, and picking the channel in which the bot logs. */
export function addChatValueRoutes(
  app: Hono<AppEnv>,
  { chatValues, contents, logChannel }: Services,
): void {
  onUser(app, readValues, async ({ chat_id }, c) => {
    const stored = await chatValues.read(requireTelegramId(c), toChatId(chat_id));
    return {
      values: Object.fromEntries(
        [...stored].map(([topicId, values]) => [toPlace(topicId), Object.fromEntries(values)]),
      ),
      contents: await contents.listNamed(stored),
    };
  });

  onUser(app, changeValues, async ({ chat_id, kind, preset, values }, c) => {
    const change = await chatValues.change(requireTelegramId(c), {
      chatId: toChatId(chat_id),
      kind,
      preset: valuePresetNames.find((name) => name === preset),
      wanted: new Map(Object.entries(values).map(([place, wanted]) => [toTopicId(place), wanted])),
    });
    return { change: change && toWireChange(change) };
  });

  onUser(app, pickLogChannel, async ({ chat_id }, c) => ({
    request_id: await logChannel.preparePick(requireTelegramId(c), toChatId(chat_id)),
  }));
}

/** What the bot sends: saved here, handed over as a file, or sent to the bot. */
export function addChatContentRoutes(
  app: Hono<AppEnv>,
  { contents, contentMedia, contentRequests }: Services,
): void {
  onUser(app, saveContent, async ({ chat_id, body }, c) => ({
    id: await contents.saveFor(requireTelegramId(c), toChatId(chat_id), body),
  }));

  onForm(app, uploadMedia, {
    admit: (c) => contentMedia.begin(requireTelegramId(c)),
    sayTooLarge: contentMedia.sayTooLarge,
    handler: async ({ chat_id, media_kind: kind, file, file_name: name = '' }, c) => {
      if (!(file instanceof ReceivedFile)) {
        throw new AppError('invalid_input');
      }
      const { draft } = file;
      const given = { draft, kind, name: name === '' ? 'file' : name };
      return {
        media: await contentMedia.upload(requireTelegramId(c), toChatId(chat_id), given),
      };
    },
  });

  onUser(app, requestContent, async ({ chat_id, value_name: name, place }, c) => ({
    link: await contentRequests.begin(requireTelegramId(c), toChatId(chat_id), {
      name,
      topicId: toTopicId(place),
    }),
  }));
}

/** Actions, warnings and approvals. */
export function addChatMemberRoutes(app: Hono<AppEnv>, { members }: Services): void {
  onUser(app, listActions, async ({ chat_id, before, search }, c) => {
    const { actions, hasMore } = await members.listActions(
      requireTelegramId(c),
      toChatId(chat_id),
      { before, search },
    );
    return { actions: actions.map(toWireAction), has_more: hasMore };
  });

  onUser(app, undoAction, async ({ chat_id, action_id }, c) => ({
    action: toWireAction(await members.undo(requireTelegramId(c), toChatId(chat_id), action_id)),
  }));

  onUser(app, listWarnings, async ({ chat_id }, c) => {
    const warnings = await members.listWarnings(requireTelegramId(c), toChatId(chat_id));
    return {
      warnings: warnings.map(({ id, target, by, reason, givenAt, expiresAt }) => ({
        warning_id: id,
        target: toWirePerson(target),
        by: toWirePerson(by),
        reason,
        given_at: givenAt,
        expires_at: expiresAt ?? null,
      })),
    };
  });

  onUser(app, removeWarnings, ({ chat_id, telegram_id, warning_id }, c) =>
    members.removeWarnings(requireTelegramId(c), toChatId(chat_id), {
      targetId: Number(telegram_id),
      warningId: warning_id,
    }),
  );

  onUser(app, listApprovals, async ({ chat_id }, c) => {
    const approvals = await members.listApprovals(requireTelegramId(c), toChatId(chat_id));
    return {
      approvals: approvals.map(({ target, by, at, until }) => ({
        target: toWirePerson(target),
        by: toWirePerson(by),
        at,
        until: until ?? null,
      })),
    };
  });

  onUser(app, removeApproval, ({ chat_id, telegram_id }, c) =>
    members.removeApproval(requireTelegramId(c), toChatId(chat_id), Number(telegram_id)),
  );
}

/** The kinds of checks that are open; a row of another kind is none. */
const joinKinds = ['button', 'task', 'gate'] as const;

/** Newcomers whose checks are open. */
export function addChatJoinRoutes(app: Hono<AppEnv>, { joining }: Services): void {
  onUser(app, listJoins, async ({ chat_id }, c) => {
    const joins = await joining.listJoins(requireTelegramId(c), toChatId(chat_id));
    return {
      joins: joins.flatMap(({ name, check: { telegramId, kind: stored, startedAt, dueAt } }) => {
        const kind = joinKinds.find((one) => one === stored);
        const times = { started_at: startedAt, due_at: dueAt };
        return kind === undefined
          ? []
          : [{ telegram_id: String(telegramId), name, kind, ...times }];
      }),
    };
  });

  onUser(app, settleJoin, ({ chat_id, telegram_id, result }, c) =>
    joining.settleJoin(requireTelegramId(c), {
      chatId: toChatId(chat_id),
      newcomerId: Number(telegram_id),
      result: result === 'let_in' ? 'let_in' : 'failed',
    }),
  );
}

function toWireAction({
  id,
  kind,
  at,
  by,
  target,
  reason,
  until,
  undoneAt,
  canUndo,
}: MemberAction): Action {
  return {
    action_id: id,
    kind,
    at,
    by: toWirePerson(by),
    target: toWirePerson(target),
    reason,
    until: until ?? null,
    undone_at: undoneAt ?? null,
    can_undo: canUndo,
  };
}

function toWirePerson({
  telegramId,
  name,
}: {
  readonly telegramId: number;
  readonly name: string;
}): Person {
  return { telegram_id: String(telegramId), name };
}

export function addGateRoutes(app: Hono<AppEnv>, { gate }: Services): void {
  on(app, openGate, (input, c) => gate.open(toVisit(input, c)));

  on(app, answerGate, ({ ticket, answer, work, ...input }, c) =>
    gate.answer(toVisit(input, c), { ticket, answer, work }),
  );
}

function toVisit(
  input: { readonly init_data: string; readonly chat_id?: string | undefined },
  c: AppContext,
) {
  return {
    initData: input.init_data,
    // What a number cannot hold names no chat.
    chatId: input.chat_id === undefined ? undefined : Number(input.chat_id),
    address: c.get('address'),
    say: c.get('textsIn')(c.get('language')),
  };
}
