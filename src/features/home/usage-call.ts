/** Asks for the figures. A chunk of its own, which the page loads when it is painted. */
import { type UsageRecord, readUsage } from '#contract/endpoints/usage';
import { call } from '#lib/api';

/** Rejects with an `ApiError`. */
export function callUsage(signal: AbortSignal): Promise<readonly UsageRecord[]> {
  return call(readUsage, {}, signal);
}
