/** How a thread of a pool answers an order: with bytes, or with a failure. */
import { parentPort } from 'node:worker_threads';

/** `carryOut` gives bytes whose memory is their own: they are handed over instead of being copied. */
export async function answerOrder(carryOut: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
  try {
    const bytes = await carryOut();
    parentPort?.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ failure: String(error) }, []);
  }
}
