/** What is set in a chat besides its locks, and what was done to its members. */
import { type Hono } from 'hono';

import { valuePresetNames } from '#contract/chats/value-presets';
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
import {
  changeValues,
  pickLogChannel,
  readValues,
  wholeChat,
} from '#contract/endpoints/chat-values';
import { type AppEnv } from '#server/http/app-env';
import { onUser } from '#server/http/on';
import { requireTelegramId } from '#server/http/requests';
import { type Services } from '#server/services/services';
import { toPlace, wholeChatId } from '#services/chats';
import { type MemberAction } from '#services/members';

import { toChatId, toWireChange } from './chats.ts';

/** Values, and picking the channel in which the bot logs. */
export function addChatValueRoutes(app: Hono<AppEnv>, { chatValues, logChannel }: Services): void {
  onUser(app, readValues, async ({ chat_id }, c) => {
    const stored = await chatValues.read(requireTelegramId(c), toChatId(chat_id));
    return {
      values: Object.fromEntries(
        [...stored].map(([topicId, values]) => [toPlace(topicId), Object.fromEntries(values)]),
      ),
    };
  });

  onUser(app, changeValues, async ({ chat_id, kind, preset, values }, c) => {
    const change = await chatValues.change(requireTelegramId(c), {
      chatId: toChatId(chat_id),
      kind,
      preset: valuePresetNames.find((name) => name === preset),
      wanted: new Map(
        Object.entries(values).map(([place, wanted]) => [
          place === wholeChat ? wholeChatId : Number(place),
          wanted,
        ]),
      ),
    });
    return { change: change && toWireChange(change) };
  });

  onUser(app, pickLogChannel, async ({ chat_id }, c) => ({
    request_id: await logChannel.preparePick(requireTelegramId(c), toChatId(chat_id)),
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
