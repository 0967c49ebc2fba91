/** Changes many settings at once: shown immediately, taken back when refused, and to be undone for 10 s. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';

import { type Preset } from '#contract/chats/presets';
import { type Change, changeSettings } from '#contract/endpoints/chat-changes';
import { call } from '#lib/api';
import { getPlatform } from '#lib/platform';

import { reportFailedWrite, showInfo } from '../failed-writes.ts';
import { chatQueries, isNotManaged, keyOfSetting, settingWrites } from '../queries.ts';
import { bulkTexts as texts } from './care-texts.ts';
import { keepValues, offerUndo } from './take-back.ts';

/** One change to one chat. */
export type BulkChange = {
  readonly chatId: string;
  readonly kind: 'bulk' | 'preset' | 'copy';
  readonly preset?: Preset;
  /** Topic → setting → blocked; what is not named stays as it is. */
  readonly topics: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
};

type BulkRequest = {
  /** At most one for each chat. */
  readonly changes: readonly BulkChange[];
  /** What is said when it is done, beside "Undo"; `count` is how many settings have really changed. */
  readonly said: (count: number) => string;
};

/**
 * Returns a function that applies changes. All values show at once; the single changes that are under
 * way are waited for, and whatever the person changes meanwhile is sent after it. It answers whether
 * all went well: what failed has been said and taken back by then. The notice with "Undo" stays for
 * 10 s, on whatever screen.
 */
export function useBulkChange(): (request: BulkRequest) => Promise<boolean> {
  const client = useQueryClient();
  return (request) => changeInBulk(client, request);
}

async function changeInBulk(client: QueryClient, { changes, said }: BulkRequest): Promise<boolean> {
  getPlatform().haptic('light');
  const outcomes = await Promise.all(changes.map((change) => apply(client, change)));
  const done = outcomes.flatMap((outcome) =>
    outcome?.change ? [{ ...outcome, change: outcome.change }] : [],
  );
  if (done.length > 0) {
    offerUndo(client, done, said);
  } else if (outcomes.every((outcome) => outcome !== undefined)) {
    showInfo('nothing-changed', texts.nothingChanged);
  }
  return outcomes.every((outcome) => outcome !== undefined);
}

/** Answers what has changed; undefined when it was refused, which has been said. */
async function apply(
  client: QueryClient,
  bulk: BulkChange,
): Promise<{ readonly chatId: string; readonly change: Change | null } | undefined> {
  const { chatId } = bulk;
  try {
    return { chatId, change: await applyChange(client, bulk) };
  } catch (error) {
    reportFailedWrite({ chatId, error, isLost: isNotManaged(error) });
    return undefined;
  }
}

/** Changes one chat, and leaves it to the caller to say what came of it; null when all was so already. Rejects when it is refused. */
export async function applyChange(
  client: QueryClient,
  { chatId, topics, ...kind }: BulkChange,
): Promise<Change | null> {
  const values = new Map(
    Object.entries(topics).flatMap(([topicId, settings]) =>
      Object.entries(settings).map(
        ([name, isBlocked]) => [keyOfSetting({ topicId, name }), isBlocked] as const,
      ),
    ),
  );
  const made: { change: Change | null } = { change: null };
  try {
    await settingWrites(client, chatId).chooseAll(values, {
      write: async () => {
        Object.assign(made, await call(changeSettings, { chat_id: chatId, ...kind, topics }));
        return values;
      },
      onConfirmed: (confirmed) => keepValues(client, chatId, confirmed),
    });
    return made.change;
  } catch (error) {
    // The server may have taken the values although its answer got lost.
    void client.invalidateQueries(chatQueries.one(chatId));
    throw error;
  }
}
