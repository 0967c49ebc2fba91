/** A stand-in for another server that closes when the test is over. */
import { onTestFinished } from 'vitest';

import { type Answer, listen, type RecordedCall, type StandIn } from './stand-in-server.ts';

export { type RecordedCall } from './stand-in-server.ts';

/** Starts on a free port, and closes when the test is over. */
export async function startStandIn(answer: (call: RecordedCall) => Answer): Promise<StandIn> {
  const standIn = await listen(answer);
  onTestFinished(standIn.close);
  return standIn;
}

/**
 * Milliseconds that a stand-in has to answer: few only where it never does. `shortMs` must be enough
 * for what is answered before that.
 */
export const timeoutFor = (failure: unknown, shortMs = 300): number =>
  failure === 'hang' ? shortMs : 20_000;
