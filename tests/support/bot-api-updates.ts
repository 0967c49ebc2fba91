/** The updates of the Bot API stand-in: for long polling; a webhook is only recorded. */
import { Refusal } from './bot-api-world.ts';

/** An update; its other fields are up to the test. */
type StandInUpdate = { readonly update_id: number } & Readonly<Record<string, unknown>>;

type Body = Readonly<Record<string, unknown>>;

export type StandInUpdates = {
  /** Adds an update with the next id and returns it. */
  readonly push: (content: Readonly<Record<string, unknown>>) => StandInUpdate;
  /** Resolves when the bot has confirmed all updates that were added so far. */
  readonly confirmed: () => Promise<void>;
  /** Updates that are not confirmed. */
  readonly waiting: () => readonly StandInUpdate[];
  /** The parameters of the webhook that the bot has set. */
  readonly webhook: () => Body | undefined;
  readonly setWebhook: (body: Body | undefined) => void;
  /** Resolves when the bot waits for updates. */
  readonly asked: () => Promise<void>;
  readonly methods: Readonly<Record<string, (body: Body) => unknown>>;
  /** Ends all long polls with an answer. */
  readonly release: () => void;
};

const conflict = (why: string) => new Refusal(409, `Conflict: ${why}`);

export function createUpdates(firstId = 500_000_001): StandInUpdates {
  let queue: StandInUpdate[] = [];
  let nextId = firstId;
  let webhook: Body | undefined;
  const listeners = new Set<() => void>();
  let waiting: { readonly stop: (error?: Error) => void } | undefined;

  function changed(): void {
    for (const listener of listeners) {
      listener();
    }
  }

  /** Resolves when `isSo` returns true; it is called after every change. */
  async function until(isSo: () => boolean): Promise<void> {
    if (isSo()) {
      return;
    }
    await new Promise<void>((resolve) => {
      const look = () => {
        if (isSo()) {
          listeners.delete(look);
          resolve();
        }
      };
      listeners.add(look);
    });
  }

  async function getUpdates({ offset, limit = 100, timeout = 0 }: Body): Promise<unknown> {
    if (webhook !== undefined) {
      throw conflict(
        "can't use getUpdates method while webhook is active; use deleteWebhook first",
      );
    }
    waiting?.stop(
      conflict(
        'terminated by other getUpdates request; make sure that only one bot instance is running',
      ),
    );
    if (typeof offset === 'number') {
      queue = queue.filter(({ update_id }) => update_id >= offset);
      changed();
    }
    if (queue.length === 0 && Number(timeout) > 0) {
      await longPoll(Number(timeout) * 1000);
    }
    return queue.slice(0, Number(limit));
  }

  async function longPoll(ms: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => stop(), ms);
      const mine = { stop };
      const look = () => queue.length > 0 && stop();
      function stop(error?: Error): void {
        clearTimeout(timer);
        listeners.delete(look);
        waiting = waiting === mine ? undefined : waiting;
        if (error === undefined) {
          resolve();
        } else {
          reject(error);
        }
      }
      listeners.add(look);
      waiting = mine;
      changed();
    });
  }

  return {
    push(content) {
      const update = { update_id: nextId, ...content };
      nextId = update.update_id + 1;
      queue.push(update);
      changed();
      return update;
    },
    confirmed: () => {
      const before = nextId;
      return until(() => queue.every(({ update_id }) => update_id >= before));
    },
    waiting: () => queue,
    webhook: () => webhook,
    setWebhook: (body) => {
      webhook = body;
    },
    asked: () => until(() => waiting !== undefined),
    methods: {
      getUpdates,
      setWebhook: (body) => {
        webhook = body;
        return true;
      },
      deleteWebhook: () => {
        webhook = undefined;
        return true;
      },
      getWebhookInfo: () => ({
        url: webhook?.['url'] ?? '',
        has_custom_certificate: false,
        pending_update_count: queue.length,
      }),
    },
    release: () => waiting?.stop(),
  };
}
