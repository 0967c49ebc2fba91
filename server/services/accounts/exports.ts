/**
 * Exports: a file with all that is stored about a user. It is made in the background by one process at a time, also after
 * a restart, and written piece by piece. It is kept for a day, and delivered by a signed link or by the bot.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import {
  createExportLeases,
  createExportRepository,
  delivery,
  exportObject,
  type StoredExport,
} from '#server/db/exports';
import { sumUserBytes } from '#server/db/generations';
import { addLooseObjects, removeLooseObjects } from '#server/db/loose-objects';
import { createDaySignatures } from '#server/lib/day-signatures';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { exportRules, limits, looseRules } from '#server/lib/limits';
import { type Draft, readInPieces } from '#server/lib/object-store';
import { currentRequestId, withRequestId } from '#server/lib/request-context';
import { type Caller, type SessionUser } from '#server/lib/requester';
import { timed } from '#server/lib/telemetry';
import { createWakeTimer } from '#server/lib/wake-timer';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';
import { maxFileBytes } from '#server/upstream/telegram/telegram';

import { type Erasure } from './erasure.ts';
import { type AccountEvents } from './events.ts';
import { writeExport } from './export-file.ts';
import { exportTexts } from './texts.ts';
import { type UserLanguageService } from './user-languages.ts';

type Tools = {
  readonly accountEvents: AccountEvents;
  readonly erasure: Erasure;
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly userLanguages: UserLanguageService;
  readonly storage: {
    /** Throws `storage_full` when there is no room for this many more bytes. */
    readonly requireSpace: (bytes: number) => Promise<void>;
  };
};

/** What a user sees of their export. */
type ExportState = {
  readonly state: 'none' | StoredExport['state'];
  readonly createdAt?: number;
  readonly expiresAt?: number;
  readonly bytes?: number | undefined;
  readonly url?: string | undefined;
  readonly byBot?: 'no' | 'pending' | 'sent';
};

export const exportFileName = 'nori-data.zip';

export function createExports(deps: Dependencies, tools: Tools) {
  const { database, clock, env, objects, random } = deps;
  const { limiter, accountEvents } = tools;
  const rows = createExportRepository(database);
  const signatures = createDaySignatures(deriveKeys(env.secretKeys, 'nori export links'), clock);
  const getLink = ({ id, expires_at: until }: StoredExport) => {
    const { expires, signature } = signatures.sign(id, until);
    return `${env.publicUrl ?? ''}/backend/exports/${id}?expires=${expires}&signature=${signature}`;
  };
  const work = createExportWork(deps, tools, getLink);
  tools.erasure.join({
    settle: work.settle,
    listObjects: ({ exportObjects }) => exportObjects,
    // Another process may be making one.
    forget: () => work.wake(),
  });

  return {
    /** Throws `rate_limited`, also while one is being made. */
    async start(
      { telegramId }: SessionUser,
      how: { readonly byBot: boolean; readonly language: Language; readonly caller: Caller },
    ): Promise<void> {
      const newest = await rows.findNewest(telegramId);
      if (newest?.state === 'waiting') {
        throw refuseSecond();
      }
      await limiter.take(limits.exports, telegramId);
      const now = clock();
      const replaced = await rows.add({
        id: random.bytes(18).toString('base64url'),
        telegram_id: telegramId,
        by_bot: how.byBot && deps.telegram !== undefined ? delivery.byBot : delivery.byLink,
        language: how.language,
        created_at: now,
        expires_at: now + exportRules.keptMs,
        request_id: currentRequestId(),
      });
      if (replaced === undefined) {
        throw refuseSecond();
      }
      await removeLooseObjects({ database, objects }, replaced);
      await accountEvents.record({ kind: 'export', telegramId, caller: how.caller });
      work.wake();
    },

    async read(telegramId: number): Promise<ExportState> {
      const row = await rows.findNewest(telegramId);
      if (row === undefined || row.expires_at <= clock()) {
        return { state: 'none' };
      }
      return {
        state: row.state,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        bytes: row.file_bytes ?? undefined,
        url: row.state === 'ready' ? getLink(row) : undefined,
        byBot: deliveryNames[row.by_bot] ?? 'no',
      };
    },

    /** What a link leads to. Throws `link_expired` or `not_found`. */
    async open(
      id: string,
      link: { readonly expires: string | undefined; readonly signature: string | undefined },
    ) {
      if (!signatures.isValid(id, link)) {
        throw new AppError('link_expired');
      }
      const row = await rows.find(id);
      if (row?.state !== 'ready' || row.file_bytes === null) {
        throw new AppError('not_found');
      }
      return {
        size: row.file_bytes,
        read: (range: { readonly start: number; readonly end: number }) =>
          readInPieces(objects, exportObject(row), range),
      };
    },

    /** Writes the same file elsewhere, for the operator. */
    write: (telegramId: number, draft: Pick<Draft, 'write'>): Promise<void> =>
      writeExport({ database, objects }, draft, {
        telegramId,
        at: clock(),
        signal: new AbortController().signal,
      }),

    /** Makes and sends what waits. Never rejects. */
    runDue: work.runDue,
    /** Also makes what an earlier process has left. */
    watch: work.watch,
    stop: work.stop,
  };
}

const deliveryNames = ['no', 'pending', 'sent'] as const;

function refuseSecond(): AppError {
  return new AppError('rate_limited', {
    detail: (say) => say(exportTexts).underWay,
    retryAfterS: exportRules.busyRetryS,
  });
}

const maxSettleMs = 5000;

/** The abort reasons: the server stops; the account is deleted, or another process has the export. */
const stopping = Symbol('stopping');
const notOurs = Symbol('not ours');

type UnderWay = {
  readonly row: StoredExport;
  readonly abort: AbortController;
  readonly done: Promise<void>;
};

function createExportWork(
  deps: Dependencies,
  tools: Tools,
  getLink: (row: StoredExport) => string,
) {
  const { database, clock, log } = deps;
  const { notifications } = database;
  const leases = createExportLeases(database, clock);
  const { work, renew } = createWork(deps, tools, getLink);
  const timer = createWakeTimer(clock, async () => {
    await runDue();
    return undefined;
  });
  let current: UnderWay | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopping = false;
  let unlisten: (() => void) | undefined;

  async function claim(): Promise<StoredExport | undefined> {
    await leases.failExhausted(exportRules);
    return isStopping ? undefined : leases.claim(exportRules);
  }

  /** One after the other, as each takes time of the processor. */
  async function runAll(): Promise<void> {
    try {
      for (let row = await claim(); row !== undefined; row = await claim()) {
        const abort = new AbortController();
        const done = withRequestId(row.request_id, () => work(row, abort));
        current = { row, abort, done };
        await current.done;
        current = undefined;
      }
    } catch (error) {
      log.error({ err: error }, 'Could not look for exports that wait');
    }
  }

  function runDue(): Promise<void> {
    running = running.then(runAll);
    return running;
  }

  return {
    runDue,
    /** Has a process with the role `worker` look for what waits. */
    wake: () => notifications.notify('jobs'),
    watch: async (): Promise<void> => {
      if (database.engine === 'sqlite') {
        // No other process uses the data folder, so what an earlier one has begun is free.
        await leases.releaseAll().catch((error: unknown) => {
          log.warn({ err: error }, 'Could not free the exports of the previous start');
        });
      }
      timer.start();
      unlisten = notifications.listen('jobs', () => {
        timer.wakeBy(clock());
        // Its account may have been deleted.
        void (current && renew(current.row, current.abort));
      });
    },
    stop: async (): Promise<void> => {
      isStopping = true;
      unlisten?.();
      timer.stop();
      current?.abort.abort(stopping);
      await running;
    },
    settle: async (telegramId: number): Promise<void> => {
      if (current?.row.telegram_id === telegramId) {
        current.abort.abort(notOurs);
        // What is on its way to Telegram may take long, and cannot be called back.
        await Promise.race([current.done, sleep(maxSettleMs, undefined, { ref: false })]);
      }
    },
  };
}

/** Returns functions that make and send what was leased, and that look whether it still is. They never reject. */
function createWork(deps: Dependencies, tools: Tools, getLink: (row: StoredExport) => string) {
  const { database, clock, log } = deps;
  const { holdMs, retryAfterMs } = exportRules;
  const leases = createExportLeases(database, clock);
  const make = createMaker(deps, tools);
  const send = createSender(deps, tools, getLink);

  async function settleFailure(row: StoredExport, abort: AbortSignal, error: unknown) {
    if (abort.reason === stopping) {
      await leases.release(row);
      database.notifications.notify('jobs');
    } else if (abort.reason !== notOurs) {
      const isFinal = error instanceof AppError && error.code === 'storage_full';
      log.warn({ err: error }, 'Could not export the data of a user');
      await (isFinal && row.state === 'waiting'
        ? leases.fail(row)
        : leases.retryAfter(row, retryAfterMs));
    }
  }

  async function renew(row: StoredExport, abort: AbortController): Promise<void> {
    try {
      if (!(await leases.renew(row, holdMs))) {
        abort.abort(notOurs);
      }
    } catch (error) {
      log.warn({ err: error }, 'Could not extend an export');
    }
  }

  async function makeAndSend(row: StoredExport, signal: AbortSignal): Promise<void> {
    const made = row.state === 'ready' ? undefined : await make(row, signal);
    signal.throwIfAborted();
    const ready = made ? { ...row, file: made.name, file_bytes: made.bytes } : row;
    if (row.by_bot === delivery.byBot && ready.file_bytes !== null) {
      const byBot = await send(ready, signal);
      await leases.setDelivery(row, byBot);
    }
  }

  async function work(row: StoredExport, abort: AbortController): Promise<void> {
    const lease = setInterval(() => void renew(row, abort), holdMs / 3).unref();
    const toFailure = () => (abort.signal.aborted ? 'left' : 'failed');
    try {
      await timed({ what: 'exportJob', labels: {}, toFailure }, () =>
        makeAndSend(row, abort.signal),
      );
    } catch (error) {
      await settleFailure(row, abort.signal, error).catch((failure: unknown) =>
        // The lease expires, and the export is begun again.
        log.error({ err: failure }, 'Could not save what became of an export'),
      );
    } finally {
      clearInterval(lease);
    }
  }

  return { work, renew };
}

/** Returns the function that makes a file and keeps it. It returns undefined when it is not waited for any more. */
function createMaker(deps: Dependencies, { storage }: Pick<Tools, 'storage'>) {
  const { database, objects, clock, log } = deps;
  const rows = createExportRepository(database);

  function refuseUnstored(error: unknown): never {
    if (error instanceof AppError) {
      throw error;
    }
    // The log has the real reason, such as a full disk or a missing permission.
    log.error({ err: error }, 'Could not store an export');
    throw new AppError('storage_full');
  }

  return async (
    row: StoredExport,
    signal: AbortSignal,
  ): Promise<{ readonly name: string; readonly bytes: number } | undefined> => {
    const pictures = await sumUserBytes(database.db, row.telegram_id);
    if (pictures > maxZipBytes) {
      throw new AppError('storage_full');
    }
    await storage.requireSpace(pictures + otherBytes + (await rows.sumBytes()));
    const draft = await objects.open().catch(refuseUnstored);
    try {
      const write = (bytes: Uint8Array) => draft.write(bytes).catch(refuseUnstored);
      await writeExport(
        { database, objects },
        { write },
        { telegramId: row.telegram_id, at: clock(), signal },
      );
      // Each try has a name of its own, so that a process that is late overwrites none.
      const file = { name: `${randomUUID()}-archive`, bytes: draft.size() };
      await addLooseObjects(database.db, [file.name], clock() + looseRules.claimableMs);
      await draft.keep(file.name).catch(refuseUnstored);
      if (await createExportLeases(database, clock).finish(row, file)) {
        return file;
      }
      await removeLooseObjects({ database, objects }, [file.name]);
      return undefined;
    } finally {
      await draft.discard();
    }
  };
}

/** The format has 32 bits for sizes. */
const maxZipBytes = 4_000_000_000;
/** For all that is no picture. */
const otherBytes = 16_000_000;

/** Returns the function that has the bot send a file, or the link to one that is too large. It returns what `by_bot` becomes. */
function createSender(
  { telegram, env, objects, languages }: Dependencies,
  { messages, userLanguages }: Tools,
  getLink: (row: StoredExport) => string,
) {
  const hours = exportRules.keptMs / 3_600_000;

  return async (row: StoredExport, signal: AbortSignal): Promise<number> => {
    const { telegram_id: telegramId, file_bytes: bytes } = row;
    const fallback = languages.offered.find((one) => one === row.language);
    const { language } = await userLanguages.readLanguage(telegramId, { fallback });
    const isSendable = (bytes ?? 0) <= maxFileBytes;
    const sent =
      isSendable && telegram !== undefined
        ? await telegram.sendFile(telegramId, {
            name: exportFileName,
            text: languages.textsIn(language)(exportTexts).file(hours),
            read: () => readUnlessAborted(readInPieces(objects, exportObject(row)), signal),
          })
        : await messages.send(telegramId, language, (saying) => {
            const { link, tooLarge, download } = saying(exportTexts);
            return env.publicUrl === undefined
              ? { text: tooLarge }
              : { text: link, button: { text: download, url: getLink(row), opens: 'link' } };
          });
    return sent === 'sent' ? delivery.sent : delivery.byLink;
  };
}

async function* readUnlessAborted(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}
