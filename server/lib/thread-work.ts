/** Answers a task of a thread pool: with bytes, or with a failure. */
import { parentPort } from 'node:worker_threads';

/** `run` returns bytes with memory of their own, which are transferred instead of copied. */
export async function answerTask(run: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
  try {
    const bytes = await run();
    parentPort?.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ failure: String(error) }, []);
  }
}
