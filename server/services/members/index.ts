/** Puts the services about members together. The rest of the server imports this module only from here. */
import { randomUUID } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { createApprovalRepository } from '#server/db/approvals';
import { type StoredAction } from '#server/db/actions';
import { AppError } from '#server/lib/errors';
import { memberRules } from '#server/lib/limits';
import { createDueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { createOutbox } from '#server/services/outbox';
import {
  type ChatAccess,
  type ChatEvents,
  type ChatUpgrades,
  type ChatValueService,
} from '#services/chats';
import { type Administrators } from '#services/moderation';

import { canUndo, createMemberActions, createUndo, type Person } from './actions.ts';
import { createLogChannel } from './log-channel.ts';
import { createMemberRights } from './rights.ts';
import { createSeenMessages, createSeenPeople } from './seen.ts';
import { createMemberWarnings } from './warnings.ts';

type Tools = {
  readonly limiter: Limiter;
  readonly chatEvents: ChatEvents;
  readonly chatUpgrades: ChatUpgrades;
  readonly chatAccess: ChatAccess;
  readonly chatValues: ChatValueService;
  readonly administrators: Administrators;
};

/** An action as the dashboard lists it. */
export type MemberAction = StoredAction & { readonly canUndo: boolean };

type Whom = { readonly targetId: number; readonly warningId?: string | undefined };

/** What the bot's commands work with. */
export type MemberCommands = ReturnType<typeof createMembers>['memberCommands'];

export function createMembers(deps: Dependencies, tools: Tools) {
  const { database, clock } = deps;
  const { limiter, chatEvents: events, chatAccess: access, chatValues, administrators } = tools;
  const outbox = createOutbox(tools.chatUpgrades.upgrade);
  const dueJobs = createDueJobs(deps);
  const rights = createMemberRights(deps, administrators);
  const seenPeople = createSeenPeople(deps);
  const seenMessages = createSeenMessages(deps);
  const logChannel = createLogChannel(deps, {
    outbox,
    jobs: dueJobs,
    rights,
    access,
    events,
    chatValues,
    limiter,
    findNames: seenPeople.findNames,
  });
  const actions = createMemberActions(deps, { outbox, rights, events, logChannel });
  const warnings = createMemberWarnings(deps, { actions, rights, events, chatValues, logChannel });
  const undo = createUndo(deps, {
    actions,
    events,
    // The ID of an action that warned is that of its warning.
    withdrawWarning: async ({ id, chatId, target }, by) =>
      (await warnings.withdraw(
        { chatId, by, target, key: `undo:${id}:${by.telegramId}` },
        { warningId: id },
      )) > 0,
  });
  const approvals = createApprovalRepository(database.db);

  const toListed = (action: StoredAction): MemberAction => ({
    ...action,
    canUndo: canUndo(action, clock()),
  });

  async function withNames<T extends { readonly telegramId: number; readonly byId: number }>(
    entries: readonly T[],
  ) {
    const names = await seenPeople.findNames(entries.flatMap((one) => [one.telegramId, one.byId]));
    const toPerson = (telegramId: number): Person => ({
      telegramId,
      name: names.get(telegramId) ?? '',
    });
    return entries.map((entry) => ({
      ...entry,
      target: toPerson(entry.telegramId),
      by: toPerson(entry.byId),
    }));
  }

  const { ban, unban, kick, mute, unmute, record, toAction, call } = actions;
  const memberCommands = {
    ban,
    unban,
    kick,
    mute,
    unmute,
    undo,
    record,
    toAction,
    call,
    warnings,
    rights,
    seenPeople,
    seenMessages,
    logChannel,
    /** Undefined also when it is one of another chat. */
    findAction: actions.rows.find,

    /** Exempts a member from what is deleted automatically. Returns false when the chat has as many as it may. */
    async approve(approval: Parameters<typeof approvals.add>[0]): Promise<boolean> {
      const isAdded = await approvals.add(approval);
      events.publish(approval.chatId, { kind: 'approvals' });
      return isAdded;
    },

    /** Returns whether the member was approved. */
    async unapprove(chatId: number, telegramId: number): Promise<boolean> {
      const wasApproved = await approvals.remove(chatId, telegramId);
      events.publish(chatId, { kind: 'approvals' });
      return wasApproved;
    },

    listApproved: async (chatId: number) => withNames(await approvals.list(chatId, clock())),
  };

  /** What the dashboard asks for. All throw what `requireManager` throws. */
  const dashboard = {
    /** The newest first. Throws `invalid_cursor` for an unknown `before`. */
    async listActions(
      telegramId: number,
      givenId: number,
      { before, search }: { readonly before?: string | undefined; readonly search?: string | undefined },
    ): Promise<{ readonly actions: readonly MemberAction[]; readonly hasMore: boolean }> {
      const chatId = await access.requireManager(givenId, telegramId, 'read');
      const last = before === undefined ? undefined : await actions.rows.find(chatId, before);
      if (before !== undefined && last === undefined) {
        throw new AppError('invalid_cursor');
      }
      const page = await actions.rows.list(chatId, {
        before: last,
        search,
        since: clock() - memberRules.keptMs,
        limit: memberRules.pageSize,
      });
      return { actions: page.actions.map(toListed), hasMore: page.hasMore };
    },

    /** Throws `action_not_found`, `action_not_undoable`, or `telegram_refused` with what Telegram needs. */
    async undo(telegramId: number, givenId: number, actionId: string): Promise<MemberAction> {
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      const undone = await undo(chatId, actionId, { telegramId, name: '' });
      return toListed(undone);
    },

    async listWarnings(telegramId: number, givenId: number) {
      const chatId = await access.requireManager(givenId, telegramId, 'read');
      return withNames(await warnings.listOpenInChat(chatId, memberRules.maxListedWarnings));
    },

    async removeWarnings(
      telegramId: number,
      givenId: number,
      { targetId, warningId }: Whom,
    ): Promise<void> {
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      await warnings.withdraw(
        {
          chatId,
          by: { telegramId, name: '' },
          target: { telegramId: targetId, name: '' },
          key: `dashboard:${randomUUID()}`,
        },
        warningId === undefined ? 'all' : { warningId },
      );
    },

    async listApprovals(telegramId: number, givenId: number) {
      const chatId = await access.requireManager(givenId, telegramId, 'read');
      return memberCommands.listApproved(chatId);
    },

    async removeApproval(telegramId: number, givenId: number, targetId: number): Promise<void> {
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      await memberCommands.unapprove(chatId, targetId);
    },
  };

  return { members: dashboard, memberCommands, logChannel, outbox, dueJobs };
}

export { type Order, type Person } from './actions.ts';
export { isPossibleDuration, parseDuration, sayExactly } from './durations.ts';
export { anonymousId } from './log-channel.ts';
export { refuse, refuseWithoutBotRight, requireDone, sayRefusal } from './refusals.ts';
export { fullName } from './seen.ts';
export { type ChatSettings, readSettings } from './settings.ts';
export * as memberTextModule from './texts.ts';
export { memberTexts } from './texts.ts';
