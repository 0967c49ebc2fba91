/** What an account of `npm run bench:raid` sees of the task that the bot has for it, and how a person solves it. */
import { type SentMessage } from '#tests/bot-api-server';
import { solveCaptcha } from '#tests/join-tasks';

import { type Account, type RaidGroup } from './group.ts';

export type SeenTask = {
  readonly message: SentMessage;
  readonly labels: readonly string[];
  /** What a person presses; undefined when they do not know what to do. */
  readonly right: string | undefined;
};

/**
 * The newest message with buttons that is for the account, else the newest that is for whom it may concern; undefined when
 * it sees none.
 */
export function findTask(
  { api, listSeen }: Pick<RaidGroup, 'api' | 'listSeen'>,
  { id }: Account,
): SeenTask | undefined {
  const tasks = listSeen(id).flatMap((message) => {
    const shown = api.show(message);
    const labels = shown?.buttons.flat() ?? [];
    const named = listNamed(shown?.entities);
    const isOwn = message.ephemeral !== undefined || named.includes(id);
    return shown === undefined || labels.length === 0 || (!isOwn && named.length > 0)
      ? []
      : [{ message, labels, isOwn, right: solveCaptcha(shown.text, labels) }];
  });
  return tasks.findLast(({ isOwn }) => isOwn) ?? tasks.at(-1);
}

/** The members whom a text names by links. */
function listNamed(entities: unknown): readonly number[] {
  return (Array.isArray(entities) ? entities : []).flatMap((entity: unknown) => {
    const { user } = Object(entity);
    return user === undefined ? [] : [Number(Object(user).id)];
  });
}
