/**
 * Updates in NATS JetStream, in as many partitions as several processes can share: those of a chat are in one, in their
 * order. What is handled is known by rows of the database, not by NATS. See docs/decisions/046.
 */
import {
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { type Update } from 'grammy/types';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';

import { isUpdate } from '#server/upstream/telegram/bot';

import { readChatId } from './update-queue.ts';

export const partitionCount = 64;

const minuteMs = 60_000;
/** Telegram sends no older updates. */
const keptMs = 24 * 60 * minuteMs;
/** Telegram repeats an update within a minute when the answer was lost. */
const duplicatesMs = 5 * minuteMs;
const answerWithinMs = 3000;
const reconnectAfterMs = 250;
/** Messages that are fetched at once from a partition. */
const batch = 100;

/** Update IDs come again for another bot; a chat is always in the same partition. */
export function choosePartition(chatId: number): number {
  // IDs of groups may have a common divisor: the bits are mixed, so that all partitions are used.
  const low = Math.abs(chatId) % 2 ** 32;
  const high = Math.floor(Math.abs(chatId) / 2 ** 32);
  const mixed = Math.imul(low ^ Math.imul(high + 1, 0x9e_37_79_b1), 0x85_eb_ca_6b);
  return (mixed ^ (mixed >>> 15)) & (partitionCount - 1);
}

export type LogMessage = {
  readonly number: number;
  /** Undefined when it is none. */
  readonly update: Update | undefined;
};

/** Reads a partition from some message on. */
export type LogReader = {
  readonly messages: AsyncIterable<LogMessage>;
  /** Ends the iteration. */
  readonly close: () => void;
};

export type MessageLog = ReturnType<typeof createMessageLog>;

export function createMessageLog({ url, botId, log }: Options) {
  const stream = toStream(botId);
  const toSubject = (partition: number) => `nori.bot.${botId}.${partition}`;
  const { getConnection, openStream, close } = createConnection({ url, botId, log });
  let publisher: Promise<JetStreamClient> | undefined;

  async function openPublisher(): Promise<JetStreamClient> {
    const connection = await getConnection();
    await openStream(connection);
    return jetstream(connection, { timeout: answerWithinMs });
  }

  return {
    /** Connects, and makes the stream, so that the first update need not wait. Never rejects. */
    start: (): void => {
      publisher ??= openPublisher();
      publisher.catch(() => {
        publisher = undefined;
      });
    },

    /** Resolves when the update is on the disk of NATS; one that comes again is not added again. */
    async add(updates: readonly Update[]): Promise<void> {
      publisher ??= openPublisher();
      const mine = publisher;
      try {
        const client = await inTime(mine);
        for (const update of updates) {
          await client.publish(
            toSubject(choosePartition(readChatId(update))),
            JSON.stringify(update),
            { msgID: `${botId}.${update.update_id}`, timeout: answerWithinMs },
          );
        }
      } catch (error) {
        if (publisher === mine) {
          // The stream may be gone with the disk of NATS.
          publisher = undefined;
        }
        throw error;
      }
    },
    hasRoom: (): boolean => true,

    /** What makes this log another than one before. Rejects while NATS is away. */
    async readIdentity(): Promise<string> {
      const { created } = await openStream(await getConnection());
      return created;
    },

    /**
     * Reads a partition after message `after`, and before that what came in the last `overlapMs` before it. Rejects
     * while NATS is away.
     */
    async read(
      partition: number,
      { after, overlapMs }: { readonly after: number; readonly overlapMs: number },
    ): Promise<LogReader> {
      const connection = await getConnection();
      const manager = await jetstreamManager(connection, { timeout: answerWithinMs });
      const last =
        after === 0
          ? null
          : await manager.streams.getMessage(stream, { seq: after }).catch(() => null);
      const from =
        last === null
          ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }
          : {
              deliver_policy: DeliverPolicy.StartTime,
              opt_start_time: new Date(last.time.getTime() - overlapMs).toISOString(),
            };
      const consumer = await jetstream(connection, { timeout: answerWithinMs }).consumers.get(
        stream,
        { filter_subjects: toSubject(partition), ...from },
      );
      const found = await consumer.consume({ max_messages: batch });
      return {
        messages: toMessages(found),
        close: () => void found.close(),
      };
    },

    close,
  };
}

type Options = { readonly url: string; readonly botId: number; readonly log: Logger };

const toStream = (botId: number) => `nori_bot_${botId}`;

function createConnection({ url, botId, log }: Options) {
  const stream = toStream(botId);
  const closing = new AbortController();
  let opening: Promise<NatsConnection> | undefined;

  /** The first connection; the client itself restores one that breaks. */
  async function open(): Promise<NatsConnection> {
    for (;;) {
      closing.signal.throwIfAborted();
      try {
        const { hostname, port, username, password, protocol } = new URL(url);
        return await connect({
          servers: `${hostname}:${port === '' ? '4222' : port}`,
          ...(username === ''
            ? {}
            : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
          ...(protocol === 'tls:' ? { tls: {} } : {}),
          name: 'nori',
          maxReconnectAttempts: -1,
          reconnectTimeWait: reconnectAfterMs,
          pingInterval: 5000,
          maxPingOut: 2,
          timeout: answerWithinMs,
        });
      } catch (error) {
        log.warn({ reason: toReason(error) }, 'cannot reach NATS; it is tried again');
        await sleep(reconnectAfterMs, undefined, { signal: closing.signal, ref: false });
      }
    }
  }

  const getConnection = () => (opening ??= open());

  /** Makes the stream when there is none, and gives it the limits of this version. */
  async function openStream(connection: NatsConnection): Promise<StreamInfo> {
    const manager = await jetstreamManager(connection, { timeout: answerWithinMs });
    const limits = {
      subjects: [`nori.bot.${botId}.*`],
      max_age: nanos(keptMs),
      duplicate_window: nanos(duplicatesMs),
    };
    const found = await manager.streams.info(stream).catch(() => undefined);
    return found === undefined
      ? manager.streams.add({
          name: stream,
          storage: StorageType.File,
          retention: RetentionPolicy.Limits,
          ...limits,
        })
      : manager.streams.update(stream, limits);
  }

  return {
    getConnection,
    openStream,
    close: async (): Promise<void> => {
      closing.abort();
      const connection = await opening?.catch(() => undefined);
      await connection?.close().catch(() => undefined);
    },
  };
}

/** Rejects when the work takes longer than Telegram is to wait. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const stopping = new AbortController();
  try {
    return await Promise.race([
      work,
      sleep(answerWithinMs, undefined, { signal: stopping.signal, ref: false }).then(() => {
        throw new Error('NATS does not answer.');
      }),
    ]);
  } finally {
    stopping.abort();
  }
}

async function* toMessages(
  found: AsyncIterable<{ readonly seq: number; readonly data: Uint8Array }>,
): AsyncGenerator<LogMessage> {
  for await (const { seq, data } of found) {
    yield { number: seq, update: parse(data) };
  }
}

function parse(data: Uint8Array): Update | undefined {
  try {
    const update: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    return isUpdate(update) ? update : undefined;
  } catch {
    return undefined;
  }
}

const toReason = (error: unknown) => (error instanceof Error ? error.message : String(error));
