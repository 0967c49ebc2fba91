/** A few painting threads, started when they are first needed; orders beyond them wait their turn. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';

import { type SketchWork } from './work.ts';

/** One processor is left for everything else that the server does. */
const mostThreads = Math.min(4, Math.max(1, availableParallelism() - 1));
/** A thread that nobody needs gives its memory back. */
const idleMs = 60_000;

const answer = v.union([
  v.object({ bytes: v.instance(Uint8Array) }),
  v.object({ failure: v.string() }),
]);

type Order = {
  readonly work: SketchWork;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
};

type Thread = {
  readonly worker: Worker;
  order: Order | undefined;
  idle: NodeJS.Timeout | undefined;
};

const threads = new Set<Thread>();
const waiting: Order[] = [];

/** Has a thread do the work. Rejects when it cannot be done. */
export function inThread(work: SketchWork): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    waiting.push({ work, resolve, reject });
    distribute();
  });
}

function distribute(): void {
  const free = [...threads].find(({ order }) => order === undefined);
  if (waiting.length === 0 || (free === undefined && threads.size >= mostThreads)) {
    return;
  }
  const thread = free ?? startThread();
  const order = waiting.shift();
  if (order !== undefined) {
    clearTimeout(thread.idle);
    thread.order = order;
    // Somebody waits for the result: the process must not end before it is there.
    thread.worker.ref();
    thread.worker.postMessage(order.work, []);
  }
}

function startThread(): Thread {
  const worker = new Worker(join(import.meta.dirname, 'worker.ts'), { execArgv: [] });
  const thread: Thread = { worker, order: undefined, idle: undefined };
  threads.add(thread);
  worker.unref();
  worker.on('message', (message: unknown) => {
    const parsed = v.safeParse(answer, message);
    settle(thread, (order) => {
      if (parsed.success && 'bytes' in parsed.output) {
        order.resolve(parsed.output.bytes);
      } else {
        order.reject(new Error('A sketch could not be painted', { cause: parsed.output }));
      }
    });
  });
  const lose = (cause: unknown) => {
    threads.delete(thread);
    settle(thread, (order) => order.reject(new Error('A painting thread ended', { cause })));
  };
  worker.on('error', lose);
  worker.on('exit', lose);
  return thread;
}

function settle(thread: Thread, end: (order: Order) => void): void {
  const { order, worker } = thread;
  thread.order = undefined;
  worker.unref();
  if (order !== undefined) {
    thread.idle = setTimeout(() => {
      threads.delete(thread);
      void worker.terminate();
    }, idleMs).unref();
    end(order);
  }
  distribute();
}
