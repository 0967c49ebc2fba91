/** Puts the services about members together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { createApprovalRepository } from '#server/db/approvals';
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

import { createMemberActions, createUndo, type Person } from './actions.ts';
import { createDashboard } from './dashboard.ts';
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

/** What the bot's commands work with. */
export type MemberCommands = ReturnType<typeof createMembers>['memberCommands'];

export function createMembers(deps: Dependencies, tools: Tools) {
  const { database, clock } = deps;
  const { limiter, chatEvents: events, chatAccess: access, chatValues, administrators } = tools;
  const outbox = createOutbox((oldId, newId) => tools.chatUpgrades.upgrade(oldId, newId));
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
    findAction: (chatId: number, id: string) => actions.rows.find(chatId, id),

    /** Exempts a member from what is deleted automatically. Returns false when the chat has as many as it may. */
    approve: async (approval: Parameters<typeof approvals.add>[0]): Promise<boolean> => {
      const isAdded = await approvals.add(approval);
      events.publish(approval.chatId, { kind: 'approvals' });
      return isAdded;
    },

    /** Returns whether the member was approved. */
    unapprove: async (chatId: number, telegramId: number): Promise<boolean> => {
      const wasApproved = await approvals.remove(chatId, telegramId);
      events.publish(chatId, { kind: 'approvals' });
      return wasApproved;
    },

    listApproved: async (chatId: number) => withNames(await approvals.list(chatId, clock())),
  };

  const dashboard = createDashboard(deps, {
    access,
    outbox,
    dueJobs,
    actions,
    warnings,
    undo,
    memberCommands,
    withNames,
    findNames: seenPeople.findNames,
  });
  return { members: dashboard, memberCommands, logChannel, outbox, dueJobs };
}

export { type Order, type Person } from './actions.ts';
export { type MemberAction } from './dashboard.ts';
export { isPossibleDuration, parseDuration, sayExactly } from './durations.ts';
export { anonymousId } from './log-channel.ts';
export { refuse, requireDone, sayRefusal } from './refusals.ts';
export { fullName } from './seen.ts';
export { type ChatSettings, readSettings } from './settings.ts';
export * as memberTextModule from './texts.ts';
export { memberTexts } from './texts.ts';
