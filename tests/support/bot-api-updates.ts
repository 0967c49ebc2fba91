/**
 * The updates of the Bot API stand-in, handed out by the rules of Telegram's server: by `getUpdates`, or
 * to the webhook. The times are those of github.com/tdlib/telegram-bot-api at version 10.0.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { type Body, Refusal } from './bot-api-world.ts';

/** An update; its other fields are up to the test. */
type StandInUpdate = { readonly update_id: number } & Readonly<Record<string, unknown>>;

/** The answer of a webhook; `retryAfterS` is its header `Retry-After`. */
type WebhookAnswer = { readonly status: number; readonly retryAfterS?: number | undefined };

/** Posts an update to the webhook that the bot has set. */
type Deliver = (update: StandInUpdate, webhook: Body) => Promise<WebhookAnswer>;

export type StandInUpdates = {
  /** Adds an update with the next id and returns it. */
  readonly push: (content: Body) => StandInUpdate;
  /** Resolves when the bot has confirmed all updates that were added so far. */
  readonly confirmed: () => Promise<void>;
  /** Updates that are not confirmed. */
  readonly waiting: () => readonly StandInUpdate[];
  /** The parameters of the webhook that the bot has set. */
  readonly webhook: () => Body | undefined;
  readonly setWebhook: (body: Body | undefined) => void;
  /** From now on updates are sent to the webhook. */
  readonly deliver: (by: Deliver) => void;
  /** Resolves when the bot waits for updates. */
  readonly asked: () => Promise<void>;
  /** When a message was written, in epoch milliseconds. */
  readonly sentAt: (chatId: number, messageId: number) => number | undefined;
  readonly methods: Readonly<Record<string, (body: Body) => unknown>>;
  /** Ends all long polls with an answer, and sends no more updates. */
  readonly release: () => void;
};

const maxLongPollS = 50;
/** A call with the same offset as the last, so soon after it, gets one update. */
const sameOffsetMs = 500;
/** … and one that does not want to wait so long waits so long all the same. */
const impatientS = 3;
/** A long poll ends so long after the first update. */
const gatherMs = 1;
/** Of two conflicts within this time, the second is answered so much later. */
const conflictEveryMs = 3000;

/** Empty for 443. */
const webhookPorts: ReadonlySet<string> = new Set(['', '80', '88', '8443']);

const conflict = (why: string) => new Refusal(409, `Conflict: ${why}`);

const webhookActive = conflict(
  "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
);
const otherPoller = conflict(
  'terminated by other getUpdates request; make sure that only one bot instance is running',
);

const firstId = 500_000_001;

/** Updates are kept so long. */
const keptMs = 86_400_000;
/** … and presses, which can be answered no longer than that. */
const keptPressMs = 150_000;
/** … and what is typed in any chat, and what is chosen there. */
const keptQueryMs = 30_000;
const keptChoiceMs = 600_000;

function keptFor(content: Body): number {
  if ('callback_query' in content) {
    return keptPressMs;
  }
  if ('inline_query' in content) {
    return keptQueryMs;
  }
  return 'chosen_inline_result' in content ? keptChoiceMs : keptMs;
}

export function createUpdates({
  clock,
  onPush,
}: {
  readonly clock: () => number;
  /** Called with each update when it is added. */
  readonly onPush: (content: Body) => void;
}): StandInUpdates {
  let queue: StandInUpdate[] = [];
  const ends = new WeakMap<StandInUpdate, number>();
  let nextId = firstId;
  let webhook: Body | undefined;
  const dates = new Map<string, number>();
  const listeners = new Set<() => void>();
  let waiting: { readonly stop: (error?: Error) => void } | undefined;
  let last = { offset: -1, at: -Infinity };
  let nextConflictAt = 0;
  const sender = createWebhookSender({
    listWaiting,
    getWebhook: () => webhook,
    confirm: (update) => {
      queue = queue.filter((one) => one !== update);
      changed();
    },
  });

  /** Drops what is too old. */
  function listWaiting(): readonly StandInUpdate[] {
    const now = clock();
    queue = queue.filter((update) => (ends.get(update) ?? Infinity) > now);
    return queue;
  }

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

  /** Rejects with the conflict: at once, or later when there was one just now. */
  async function throwConflict(error: Refusal): Promise<never> {
    const now = performance.now();
    if (now < nextConflictAt) {
      await sleep(conflictEveryMs, undefined, { ref: false });
    } else {
      nextConflictAt = now + conflictEveryMs;
    }
    throw error;
  }

  async function getUpdates(body: Body): Promise<unknown> {
    if (webhook !== undefined) {
      return throwConflict(webhookActive);
    }
    const offset = Number(body['offset'] ?? 0);
    const now = performance.now();
    const sinceSame = offset === last.offset ? now - last.at : Infinity;
    last = { offset, at: now };
    const limit = sinceSame < sameOffsetMs ? 1 : Number(body['limit'] ?? 100);
    const wantedS = Math.min(Number(body['timeout'] ?? 0), maxLongPollS);
    const waitS = wantedS < impatientS && sinceSame < impatientS * 1000 ? impatientS : wantedS;
    queue = listWaiting().filter(({ update_id }) => update_id >= offset);
    changed();
    if (queue.length === 0 && waitS > 0) {
      waiting?.stop(otherPoller);
      await longPoll(waitS * 1000);
    }
    return listWaiting().slice(0, limit);
  }

  async function longPoll(ms: number): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        let timer = setTimeout(() => stop(), ms);
        const mine = { stop };
        const look = () => {
          if (queue.length > 0) {
            listeners.delete(look);
            clearTimeout(timer);
            timer = setTimeout(() => stop(), gatherMs);
          }
        };
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
    } catch (error) {
      if (error instanceof Refusal) {
        await throwConflict(error);
      }
      throw error;
    }
  }

  function noteDate({ message }: Body): void {
    const { chat, message_id, date } = Object(message);
    if (Number(date) > 0) {
      dates.set(`${Object(chat).id}:${message_id}`, date * 1000);
    }
  }

  return {
    push(content) {
      const update = { update_id: nextId, ...content };
      nextId = update.update_id + 1;
      ends.set(update, clock() + keptFor(content));
      queue.push(update);
      noteDate(content);
      onPush(content);
      changed();
      sender.look();
      return update;
    },
    confirmed: () => {
      const before = nextId;
      return until(() => queue.every(({ update_id }) => update_id >= before));
    },
    waiting: listWaiting,
    webhook: () => webhook,
    setWebhook: (body) => {
      webhook = body;
    },
    deliver: sender.start,
    asked: () => until(() => waiting !== undefined),
    sentAt: (chatId, messageId) => dates.get(`${chatId}:${messageId}`),
    methods: {
      getUpdates,
      setWebhook: (body) => {
        const { port } = new URL(String(body['url']));
        if (!webhookPorts.has(port)) {
          throw new Refusal(
            400,
            'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
          );
        }
        webhook = body;
        waiting?.stop(conflict('terminated by setWebhook request'));
        sender.look();
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
    release: () => {
      waiting?.stop();
      sender.stop();
    },
  };
}

type Delivery = { readonly update: StandInUpdate; wakesAt: number; delayS: number; fails: number };

const maxDelayS = 60;
const maxRetryAfterS = 3600;
const defaultConnections = 40;

/**
 * Sends updates to the webhook. Of each chat one is on its way, and the others wait for it: also those of an
 * album. A failed one is sent again at once, then after 2, 4, 8 … seconds, or as `Retry-After` says.
 */
function createWebhookSender({
  listWaiting,
  getWebhook,
  confirm,
}: {
  readonly listWaiting: () => readonly StandInUpdate[];
  readonly getWebhook: () => Body | undefined;
  readonly confirm: (update: StandInUpdate) => void;
}) {
  /** The oldest update of each queue. */
  const heads = new Map<string, Delivery>();
  const onTheirWay = new Set<Delivery>();
  let deliver: Deliver | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Telegram looks at twice as many queues as it has connections. */
  function load(connections: number): void {
    for (const update of listWaiting()) {
      if (heads.size >= connections * 2) {
        return;
      }
      const name = queueName(update);
      if (!heads.has(name)) {
        heads.set(name, { update, wakesAt: 0, delayS: 1, fails: 0 });
      }
    }
  }

  function look(): void {
    clearTimeout(timer);
    const webhook = getWebhook();
    if (deliver === undefined || webhook === undefined) {
      return;
    }
    const connections = Number(webhook['max_connections'] ?? defaultConnections);
    load(connections);
    const now = performance.now();
    const idle = [...heads].filter(([, delivery]) => !onTheirWay.has(delivery));
    const ready = idle.filter(([, { wakesAt }]) => wakesAt <= now);
    for (const [name, delivery] of ready.slice(0, connections - onTheirWay.size)) {
      onTheirWay.add(delivery);
      void send(deliver, name, { delivery, webhook });
    }
    const next = Math.min(...idle.map(([, { wakesAt }]) => wakesAt).filter((at) => at > now));
    if (next !== Infinity) {
      timer = setTimeout(look, next - now).unref();
    }
  }

  async function send(
    by: Deliver,
    name: string,
    { delivery, webhook }: { readonly delivery: Delivery; readonly webhook: Body },
  ): Promise<void> {
    const { status, retryAfterS = 0 } = await by(delivery.update, webhook).catch(
      (): WebhookAnswer => ({ status: 0 }),
    );
    onTheirWay.delete(delivery);
    if (status >= 200 && status <= 299) {
      heads.delete(name);
      confirm(delivery.update);
    } else {
      let waitS = Math.min(Math.max(retryAfterS, 0), maxRetryAfterS);
      if (waitS === 0 && delivery.fails > 0) {
        delivery.delayS = Math.min(delivery.delayS * 2, maxDelayS);
        waitS = delivery.delayS;
      }
      delivery.fails += 1;
      delivery.wakesAt = performance.now() + waitS * 1000;
    }
    look();
  }

  return {
    look,
    start: (by: Deliver) => {
      deliver = by;
      look();
    },
    stop: () => {
      deliver = undefined;
      clearTimeout(timer);
    },
  };
}

/** Messages and edits of a chat share a queue; what happens to members has others, and so have presses. */
function queueName({ update_id, ...update }: StandInUpdate): string {
  const { message, edited_message, channel_post, my_chat_member: ownMove } = Object(update);
  const reacted = Object(update).message_reaction?.chat;
  const content = message ?? edited_message ?? channel_post;
  if (content?.chat !== undefined) {
    return `messages ${content.chat.id}`;
  }
  if (reacted !== undefined) {
    return `reactions ${reacted.id}`;
  }
  if (ownMove?.chat !== undefined) {
    return `bot ${ownMove.chat.id}`;
  }
  return elsewhereQueueName(update) ?? personQueueName(update) ?? `update ${update_id}`;
}

/** What is typed in any chat, and what is chosen there. */
function elsewhereQueueName(update: Body): string | undefined {
  const { inline_query: query, chosen_inline_result: chosen } = Object(update);
  const from = (query ?? chosen)?.from;
  return from === undefined ? undefined : `inline ${from.id}`;
}

function personQueueName(update: Body): string | undefined {
  const { chat_member: move, chat_join_request: request, callback_query: press } = Object(update);
  if (press?.from !== undefined) {
    return `presses ${press.from.id}`;
  }
  const userId = move?.new_chat_member?.user?.id ?? request?.from?.id;
  return userId === undefined ? undefined : `user ${userId}`;
}
