/** Puts the services about members together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type Approval, createApprovalRepository } from '#server/db/approvals';
import { createDueJobs } from '#server/services/due-jobs';
import { type Limiter } from '#server/services/limiter';
import { createOutbox } from '#server/services/outbox';
import { createSharedPauses } from '#server/services/telegram-pauses';
import {
  type ChatAccess,
  type ChatEvents,
  type ChatUpgrades,
  type ChatValueService,
} from '#services/chats';
import { type Administrators } from '#services/moderation';

import { createMemberActions, createUndo, type Person } from './actions.ts';
import { createDashboard } from './dashboard.ts';
import { createLogChannel, type LogChannel } from './log-channel.ts';
import { createMemberRights } from './rights.ts';
import { createSeenMessages, createSeenPeople } from './seen.ts';
import { createSharing, handleSharedBans } from './shared-bans.ts';
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
  const outbox = createOutbox(
    (oldId, newId) => tools.chatUpgrades.upgrade(oldId, newId),
    createSharedPauses(deps, events),
  );
  const dueJobs = createDueJobs(deps);
  const rights = createMemberRights(deps, administrators, access);
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
    findNames: (ids) => seenPeople.findNames(ids),
  });
  const share = createSharing(deps, rights);
  const actions = createMemberActions(deps, { outbox, rights, events, logChannel, share });
  handleSharedBans(deps, {
    jobs: dueJobs,
    actions,
    chatValues,
    findNames: (ids) => seenPeople.findNames(ids),
  });
  const warnings = createMemberWarnings(deps, { actions, rights, events, chatValues, logChannel });
  const undo = createUndo(deps, {
    actions,
    // The ID of an action that warned is that of its warning.
    withdrawWarning: async ({ id, chatId, target }, { by, key, alsoSave }) =>
      (await warnings.withdraw({ chatId, by, target, key }, { warningId: id }, alsoSave)) > 0,
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
    findAction: (chatId: number, id: string) => actions.rows.find(chatId, id),

    ...createApprovals({ events, logChannel }),
    listApproved: async (chatId: number) =>
      withNames(await createApprovalRepository(database.db).list(chatId, clock())),
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
    findNames: (ids) => seenPeople.findNames(ids),
  });
  return { members: dashboard, memberCommands, logChannel, outbox, dueJobs };
}

/** Who approves a member, or ends that, and the update by which they do. */
type Approving = Pick<Approval, 'chatId' | 'telegramId' | 'byId'> & { readonly key: string };

function createApprovals({
  events,
  logChannel,
}: {
  readonly events: ChatEvents;
  readonly logChannel: LogChannel;
}) {
  /** Changes the approvals; what is new there and its line for the log channel are saved together. */
  async function change(
    kind: 'approve' | 'unapprove',
    { chatId, telegramId, byId, key }: Approving,
    how: {
      readonly seconds?: number | undefined;
      readonly run: (rows: ReturnType<typeof createApprovalRepository>) => Promise<boolean>;
    },
  ): Promise<boolean> {
    const isChanged = await events.publishWith(chatId, { kind: 'approvals' }, async (tx) => {
      const isNew = await how.run(createApprovalRepository(tx));
      if (isNew) {
        await logChannel.addInTransaction(tx, chatId, {
          category: 'members',
          id: `${kind}:${key}`,
          body: { kind, targetId: telegramId, byId, seconds: how.seconds },
        });
      }
      return isNew;
    });
    logChannel.wake();
    return isChanged;
  }

  return {
    /** Exempts a member from what is deleted automatically. Returns false when the chat has as many as it may. */
    approve: ({ key, ...approval }: Approval & Approving): Promise<boolean> => {
      const { at, until } = approval;
      return change(
        'approve',
        { ...approval, key },
        {
          seconds: until === undefined ? undefined : Math.ceil((until - at) / 1000),
          run: (rows) => rows.add(approval),
        },
      );
    },

    /** Returns whether the member was approved. */
    unapprove: (approving: Approving): Promise<boolean> =>
      change('unapprove', approving, {
        run: (rows) => rows.remove(approving.chatId, approving.telegramId),
      }),
  };
}

export { anonymousId } from '#server/db/people-seen';
export { type Order, type Person } from './actions.ts';
export { type MemberAction } from './dashboard.ts';
export { isPossibleDuration, parseDuration, sayExactly } from './durations.ts';
export {
  refuse,
  refuseWithoutBotRight,
  refuseWithoutUserRight,
  requireDone,
  sayRefusal,
} from './refusals.ts';
export { fullName } from './seen.ts';
export { type ChatSettings, readSettings } from './settings.ts';
export * as memberTextModule from './texts.ts';
export { memberTexts } from './texts.ts';
