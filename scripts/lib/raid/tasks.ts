/** What an account of `npm run bench:raid` sees of the task that the bot has for it, and how a person solves it. */
import { type SentMessage } from '#tests/bot-api-server';

import { type Account, raidChat, type RaidGroup } from './group.ts';

export type SeenTask = {
  readonly message: SentMessage;
  readonly labels: readonly string[];
  /** What a person presses; undefined when they do not know what to do. */
  readonly right: string | undefined;
};

/** The newest message with buttons that is for the account; undefined when it sees none. */
export function findTask({ api }: Pick<RaidGroup, 'api'>, { id }: Account): SeenTask | undefined {
  for (const message of api.messages.toReversed()) {
    const isSeen = message.to === raidChat && (message.ephemeral?.to ?? id) === id;
    const shown = isSeen ? api.show(message) : undefined;
    const labels = shown?.buttons.flat() ?? [];
    if (shown !== undefined && labels.length > 0 && isFor(id, shown.entities)) {
      return { message, labels, right: solve(shown.text, labels) };
    }
  }
  return undefined;
}

/** A message that names members by links is for them alone. */
function isFor(id: number, entities: unknown): boolean {
  const named = (Array.isArray(entities) ? entities : []).flatMap((entity: unknown) => {
    const { user } = Object(entity);
    return user === undefined ? [] : [Number(Object(user).id)];
  });
  return named.length === 0 || named.includes(id);
}

function solve(text: string, labels: readonly string[]): string | undefined {
  const [, one, other] = /(\d+)\s*\+\s*(\d+)/.exec(text) ?? [];
  if (one !== undefined) {
    return labels.find((label) => Number(label) === Number(one) + Number(other));
  }
  return labels.length === 1 ? labels[0] : labels.find((label) => text.includes(label));
}
