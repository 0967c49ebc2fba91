/** A few threads for heavy work, started when first needed. Further tasks wait. */
import { Worker, parentPort } from 'node:worker_threads';
import * as v from 'valibot';

/** An idle thread ends after this time to free its memory. */
const idleMs = 60_000;

const answer = v.union([
  v.object({ bytes: v.instance(Uint8Array) }),
  v.object({ failure: v.string() }),
]);

type Task<Input> = {
  readonly work: Input;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
};

type Thread<Input> = {
  readonly worker: Worker;
  task: Task<Input> | undefined;
  idle: NodeJS.Timeout | undefined;
};

type PoolOptions = {
  /** The file of the thread; it answers with `answerTask`. */
  readonly script: string;
  readonly maxThreads: number;
  /** The message of the error for failed work. */
  readonly failure: string;
};

/** Does the work in a thread. Rejects when it fails. */
export type InThread<Input> = (work: Input) => Promise<Uint8Array>;

export function createThreadPool<Input>({
  script,
  maxThreads,
  failure,
}: PoolOptions): InThread<Input> {
  const threads = new Set<Thread<Input>>();
  const waiting: Task<Input>[] = [];

  function distribute(): void {
    const free = [...threads].find(({ task }) => task === undefined);
    if (waiting.length === 0 || (free === undefined && threads.size >= maxThreads)) {
      return;
    }
    const thread = free ?? startThread();
    const task = waiting.shift();
    if (task !== undefined) {
      clearTimeout(thread.idle);
      thread.task = task;
      // A caller waits for the result, so the process must not end before it.
      thread.worker.ref();
      thread.worker.postMessage(task.work, []);
    }
  }

  function startThread(): Thread<Input> {
    const worker = new Worker(script, { execArgv: [] });
    const thread: Thread<Input> = { worker, task: undefined, idle: undefined };
    threads.add(thread);
    worker.unref();
    worker.on('message', (message: unknown) => {
      const parsed = v.safeParse(answer, message);
      settle(thread, (task) => {
        if (parsed.success && 'bytes' in parsed.output) {
          task.resolve(parsed.output.bytes);
        } else {
          task.reject(new Error(failure, { cause: parsed.output }));
        }
      });
    });
    const removeThread = (cause: unknown) => {
      threads.delete(thread);
      settle(thread, (task) => task.reject(new Error('A thread ended', { cause })));
    };
    worker.on('error', removeThread);
    worker.on('exit', removeThread);
    return thread;
  }

  function settle(thread: Thread<Input>, end: (task: Task<Input>) => void): void {
    const { task, worker } = thread;
    thread.task = undefined;
    worker.unref();
    if (task !== undefined) {
      thread.idle = setTimeout(() => {
        threads.delete(thread);
        void worker.terminate();
      }, idleMs).unref();
      end(task);
    }
    distribute();
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      distribute();
    });
}

/**
 * Answers a task in its thread: with bytes, or with a failure. `run` returns bytes with memory of their own, which are
 * transferred instead of copied.
 */
export async function answerTask(run: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
  try {
    const bytes = await run();
    parentPort?.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ failure: String(error) }, []);
  }
}
