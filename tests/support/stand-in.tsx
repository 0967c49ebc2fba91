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
