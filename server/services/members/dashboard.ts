/** What the dashboard shows and undoes of what was done to members. */
import { type Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';

import { sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createActionRepository, type StoredAction } from '#server/db/actions';
import { type Approval } from '#server/db/approvals';
import { createBotChatRepository } from '#server/db/bot-chats';
import { createChatValueRepository } from '#server/db/chat-values';
import { createDueJobRepository } from '#server/db/due-jobs';
import { type Tables } from '#server/db/tables';
import { AppError } from '#server/lib/errors';
import { memberRules } from '#server/lib/limits';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type Outbox } from '#server/services/outbox';
import { type ChatAccess } from '#services/chats';

import {
  canUndo,
  isUndoable,
  type MemberActions,
  type Person,
  type UndoRequest,
} from './actions.ts';
import { readSettings } from './settings.ts';
import { memberTexts } from './texts.ts';
import { type MemberWarnings } from './warnings.ts';

/** An action as the dashboard lists it. */
export type MemberAction = StoredAction & { readonly canUndo: boolean };

type Whom = { readonly targetId: number; readonly warningId?: string | undefined };

type WithNames<Entry> = Entry & { readonly target: Person; readonly by: Person };

type Tools = AnnouncerTools & {
  readonly access: ChatAccess;
  readonly actions: MemberActions;
  readonly warnings: MemberWarnings;
  readonly undo: (request: UndoRequest) => Promise<StoredAction>;
  readonly memberCommands: {
    readonly listApproved: (chatId: number) => Promise<readonly WithNames<Approval>[]>;
    readonly unapprove: (approving: {
      readonly chatId: number;
      readonly telegramId: number;
      readonly byId: number;
      readonly key: string;
    }) => Promise<boolean>;
  };
  /** Adds the names of people to entries that have their IDs. */
  readonly withNames: <Entry extends { readonly telegramId: number; readonly byId: number }>(
    entries: readonly Entry[],
  ) => Promise<readonly WithNames<Entry>[]>;
};

/** All of it throws what `requireManager` throws. */
export function createDashboard(
  deps: Dependencies,
  { access, actions, warnings, undo, memberCommands, withNames, ...announcing }: Tools,
) {
  const { clock } = deps;
  const announce = createAnnouncer(deps, announcing);

  /** A warning that has ended, by the limit or by itself, can be taken back no more; nor what a later action replaces. */
  async function toListed(
    chatId: number,
    listed: readonly StoredAction[],
  ): Promise<readonly MemberAction[]> {
    const hasWarnings = listed.some(({ kind }) => kind === 'warn');
    const open = hasWarnings
      ? await warnings.listOpenInChat(chatId, memberRules.maxListedWarnings)
      : [];
    const openIds = new Set(open.map(({ id }) => id));
    const replacedIds = await actions.rows.listReplaced(chatId, listed, clock());
    return listed.map((action) => ({
      ...action,
      canUndo:
        canUndo(action, clock()) &&
        !replacedIds.has(action.id) &&
        (action.kind !== 'warn' || openIds.has(action.id)),
    }));
  }

  return {
    /** The newest first. Throws `invalid_cursor` for an unknown `before`. */
    async listActions(
      telegramId: number,
      givenId: number,
      {
        before,
        search,
      }: { readonly before?: string | undefined; readonly search?: string | undefined },
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
      return { actions: await toListed(chatId, page.actions), hasMore: page.hasMore };
    },

    /** Throws `action_not_found`, `action_not_undoable`, or `telegram_refused` with what Telegram needs. */
    async undo(telegramId: number, givenId: number, actionId: string): Promise<MemberAction> {
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      const undone = await undo({
        chatId,
        actionId,
        by: { telegramId, name: '' },
        // Once more when the answer was lost on its way.
        key: `undo:${actionId}:${telegramId}`,
        alsoSave: (tx, presentId) =>
          announce(tx, { id: actionId, chatId: presentId, by: telegramId }),
      });
      return { ...undone, canUndo: false };
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
      const key = `dashboard:${randomUUID()}`;
      await memberCommands.unapprove({ chatId, telegramId: targetId, byId: telegramId, key });
    },
  };
}

type AnnouncerTools = {
  readonly outbox: Outbox;
  readonly dueJobs: DueJobs;
  readonly findNames: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
};

/**
 * Returns a function that saves, with what was undone on the dashboard, that the group is told: there, no message shows
 * it otherwise. A group whose actions are quiet is not told.
 */
function createAnnouncer(
  { database, clock, chatActions, languages }: Dependencies,
  { outbox, dueJobs, findNames }: AnnouncerTools,
) {
  const actions = createActionRepository(database.db);
  const botChats = createBotChatRepository(database.db);

  async function write({ chatId, telegramId = 0, body: actionId }: DueJob): Promise<string> {
    const [action, group, names] = await Promise.all([
      actions.find(chatId, actionId),
      botChats.find(chatId),
      findNames([telegramId]),
    ]);
    const texts = languages.textsIn(group?.language ?? sourceLanguage)(memberTexts).undone;
    const by = names.get(telegramId) ?? String(telegramId);
    const name = action?.target.name || String(action?.target.telegramId ?? '');
    return action !== undefined && isUndoable(action.kind) ? texts[action.kind](name, by) : '';
  }

  dueJobs.handle(announceKind, async (job) => {
    const text = await write(job);
    if (text === '' || chatActions === undefined) {
      return true;
    }
    const outcome = await outbox.send(job.chatId, (chatId) => chatActions.send({ chatId, text }));
    return outcome.kind !== 'later';
  });

  return async (
    tx: Kysely<Tables>,
    { id, chatId, by }: { readonly id: string; readonly chatId: number; readonly by: number },
  ): Promise<void> => {
    // The transaction may hold the only connection.
    const values = createChatValueRepository(tx);
    const { quiet_actions: isQuiet } = await readSettings(
      { readForBot: (asked) => values.readVerified(asked) },
      chatId,
    );
    if (!isQuiet) {
      await createDueJobRepository({ ...database, db: tx }).add({
        id: `${announceKind}:${id}`,
        kind: announceKind,
        chatId,
        telegramId: by,
        body: id,
        dueAt: clock(),
      });
    }
  };
}

const announceKind = 'undone';
