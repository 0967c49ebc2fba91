/** Calls of handlers to Telegram, and what is kept so that an update that is handled again does nothing twice. */
import * as v from 'valibot';

import { type BotTools, type Situation } from '#server/bot/command';
import { inboxRules } from '#server/lib/limits';
import { type ActionOutcome, type ChatActions } from '#server/upstream/telegram/chat-actions';

type Tools = Pick<BotTools, 'deps' | 'services'>;

/** Makes a call about a chat when it is the chat's turn. */
export function callTelegram<T>(
  chatId: number,
  { deps, services }: Tools,
  make: (api: ChatActions, chatId: number) => Promise<ActionOutcome<T>>,
): Promise<ActionOutcome<T>> {
  const { chatActions } = deps;
  return services.outbox.send(chatId, (id) =>
    chatActions === undefined
      ? Promise.resolve({ kind: 'later', retryAfterS: undefined })
      : make(chatActions, id),
  );
}

/** What a handler keeps of an update, so that handling it again does not choose or do something else. */
export function keepForUpdate(
  { key, chatId, issuer }: Pick<Situation, 'key' | 'chatId' | 'issuer'>,
  { deps, services: { dueJobs } }: Tools,
) {
  const id = `update:${key}`;

  async function read(): Promise<string | undefined> {
    return (await dueJobs.find(id))?.body;
  }

  return {
    /** JSON. */
    read,

    /** Keeps JSON, unless something is kept already. Resolves with what is kept. */
    async add(body: string): Promise<string> {
      await dueJobs.add({
        id,
        // Nothing handles it, so that it ends at its time: then the update is not handled again.
        kind: 'update',
        chatId,
        telegramId: issuer.telegramId,
        body,
        dueAt: deps.clock() + inboxRules.openForMs,
      });
      return (await read()) ?? body;
    },

    change: async (body: string, becomes: string): Promise<void> => {
      await dueJobs.changeBody({ id, body }, becomes);
    },

    forget: async (): Promise<void> => {
      await dueJobs.take(id);
    },
  };
}

type Result = true | number;

type OnceCall = {
  readonly make: (api: ChatActions, chatId: number) => Promise<ActionOutcome<Result>>;
  /** Telegram takes it again without harm. */
  readonly isRepeatable: boolean;
};

const begun = '{}';
const doneBody = v.object({ result: v.union([v.literal(true), v.number()]) });

/**
 * As `callTelegram`, for what an update does once. Handled again, it has the result of the first time. When a server
 * was killed before it heard Telegram's answer, only what is repeatable is done again; of the rest Telegram counts as
 * not having answered.
 */
export async function callOnce(
  situation: Pick<Situation, 'key' | 'chatId' | 'issuer'>,
  tools: Tools,
  { make, isRepeatable }: OnceCall,
): Promise<ActionOutcome<Result>> {
  const kept = keepForUpdate(situation, tools);
  const earlier = await kept.read();
  const known = v.safeParse(doneBody, JSON.parse(earlier ?? begun));
  if (known.success) {
    return { kind: 'done', result: known.output.result };
  }
  const wasBegun = earlier !== undefined;
  if (wasBegun && !isRepeatable) {
    return { kind: 'later', retryAfterS: undefined };
  }
  return callTelegram<Result>(situation.chatId, tools, async (api, chatId) => {
    await kept.add(begun);
    const outcome = await make(api, chatId);
    if (outcome.kind === 'done') {
      await kept.change(begun, JSON.stringify({ result: outcome.result }));
    } else if (wasBegun && outcome.kind === 'refused' && outcome.why === 'unchanged') {
      return { kind: 'done', result: true };
    } else if (!wasBegun && !isUncertain(outcome)) {
      await kept.forget();
    }
    return outcome;
  });
}

/** Whether Telegram may have done it all the same. */
function isUncertain(outcome: ActionOutcome<Result>): boolean {
  return outcome.kind === 'later' && outcome.retryAfterS === undefined;
}
