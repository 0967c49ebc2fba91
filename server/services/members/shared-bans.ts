/**
 * Shares bans between the chats of a community, and between those of one owner. A chat takes part when its owner has
 * switched that on there; then its bans count in the others, and theirs in it. What the bot does by itself is not shared.
 */
import { type Kysely } from 'kysely';
import * as v from 'valibot';

import { type Dependencies } from '#server/app/dependencies';
import { type NewAction } from '#server/db/actions';
import { createDueJobRepository } from '#server/db/due-jobs';
import { listFollowers, listSharingChats } from '#server/db/shared-bans';
import { type Tables } from '#server/db/tables';
import { AppError } from '#server/lib/errors';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type ChatValueService } from '#services/chats';

import { type MemberActions, type Order } from './actions.ts';
import { isPossibleDuration } from './durations.ts';
import { readSettings } from './settings.ts';

const jobKind = 'shared-ban';

const bodySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    kind: v.picklist(['ban', 'unban']),
    /** The action that is followed. */
    actionId: v.string(),
    byId: v.number(),
    reason: v.string(),
    /** Epoch milliseconds. */
    until: v.optional(v.number()),
  }),
);

type Needs = Pick<Dependencies, 'database' | 'clock'>;

/** Returns a function that is called within the transaction in which an action is saved. */
export function createSharing({ database }: Needs, { botId }: { readonly botId: number }) {
  return async (tx: Kysely<Tables>, action: NewAction): Promise<void> => {
    const { kind, chatId, targetId, byId, sharedFrom } = action;
    if ((kind !== 'ban' && kind !== 'unban') || byId === botId || sharedFrom !== undefined) {
      return;
    }
    const chats =
      kind === 'ban'
        ? await listSharingChats(tx, chatId)
        : await listFollowers(tx, chatId, targetId);
    const jobs = createDueJobRepository({ ...database, db: tx });
    for (const other of chats) {
      await jobs.add({
        id: `${jobKind}:${action.id}:${other}`,
        kind: jobKind,
        chatId: other,
        telegramId: targetId,
        body: JSON.stringify({
          kind,
          actionId: action.id,
          byId,
          reason: action.reason,
          until: action.until,
        } satisfies v.InferOutput<typeof bodySchema>),
        dueAt: action.at,
      });
    }
  };
}

type Tools = {
  readonly jobs: Pick<DueJobs, 'handle'>;
  readonly actions: Pick<MemberActions, 'ban' | 'unban'>;
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly findNames: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
};

/** Has the jobs done in the chats that follow. */
export function handleSharedBans({ clock }: Needs, tools: Tools): void {
  const { jobs, actions, chatValues, findNames } = tools;

  async function toOrder(
    { chatId, telegramId = 0 }: DueJob,
    body: v.InferOutput<typeof bodySchema>,
  ): Promise<Order> {
    const { byId, reason, until, actionId } = body;
    const names = await findNames([byId, telegramId]);
    return {
      chatId,
      by: { telegramId: byId, name: names.get(byId) ?? String(byId) },
      target: { telegramId, name: names.get(telegramId) ?? String(telegramId) },
      reason,
      seconds: until === undefined ? undefined : Math.floor((until - clock()) / 1000),
      key: `${jobKind}:${actionId}:${chatId}`,
      isBasicGroup: false,
      sharedFrom: actionId,
    };
  }

  async function follow(job: DueJob): Promise<boolean> {
    const body = v.parse(bodySchema, job.body);
    const order = await toOrder(job, body);
    const isOver = order.seconds !== undefined && !isPossibleDuration(order.seconds);
    // The owner may have switched it off meanwhile; what was shared before is lifted all the same.
    const isOff = body.kind === 'ban' && !(await readSettings(chatValues, job.chatId)).shared_bans;
    if (isOver || isOff) {
      return true;
    }
    try {
      await actions[body.kind](order);
    } catch (error) {
      // Refused for good: the person is an administrator there, is not banned any more, or the bot lacks the right.
      if (!(error instanceof AppError)) {
        throw error;
      }
      return error.code !== 'telegram_unavailable';
    }
    return true;
  }

  jobs.handle(jobKind, follow);
}
