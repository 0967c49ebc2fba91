/** A few threads for heavy work, started when they are first needed; orders beyond them wait their turn. */
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';

/** A thread that nobody needs gives its memory back. */
const idleMs = 60_000;

const answer = v.union([
  v.object({ bytes: v.instance(Uint8Array) }),
  v.object({ failure: v.string() }),
]);

type Order<Work> = {
  readonly work: Work;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
};

type Thread<Work> = {
  readonly worker: Worker;
  order: Order<Work> | undefined;
  idle: NodeJS.Timeout | undefined;
};

type Staff = {
  /** The file of the thread, which answers by `answerOrder`. */
  readonly script: string;
  readonly mostThreads: number;
  /** What is said, to us alone, of work that could not be done. */
  readonly failure: string;
};

/** Has a thread do the work. Rejects when it cannot be done. */
export type InThread<Work> = (work: Work) => Promise<Uint8Array>;

export function createThreadPool<Work>({ script, mostThreads, failure }: Staff): InThread<Work> {
  const threads = new Set<Thread<Work>>();
  const waiting: Order<Work>[] = [];

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

  function startThread(): Thread<Work> {
    const worker = new Worker(script, { execArgv: [] });
    const thread: Thread<Work> = { worker, order: undefined, idle: undefined };
    threads.add(thread);
    worker.unref();
    worker.on('message', (message: unknown) => {
      const parsed = v.safeParse(answer, message);
      settle(thread, (order) => {
        if (parsed.success && 'bytes' in parsed.output) {
          order.resolve(parsed.output.bytes);
        } else {
          order.reject(new Error(failure, { cause: parsed.output }));
        }
      });
    });
    const lose = (cause: unknown) => {
      threads.delete(thread);
      settle(thread, (order) => order.reject(new Error('A thread ended', { cause })));
    };
    worker.on('error', lose);
    worker.on('exit', lose);
    return thread;
  }

  function settle(thread: Thread<Work>, end: (order: Order<Work>) => void): void {
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

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      distribute();
    });
}
