/** The one exchange of a code. Apart from the cache of server facts: the end of a session here must not stop it. */
import {
  connectedServices,
  finishAniList,
  finishSpotify,
  type ServiceId,
} from '#contract/endpoints/connections';
import { ApiError, call, errorText } from '#lib/api';
import { tellOtherTabs } from '#lib/other-tabs';

import { type Arrival } from './arrival.ts';
import { callbackTexts as texts } from './texts.ts';

type Answer = { readonly code: string; readonly state: string };

const running = new Map<string, Promise<Arrival | undefined>>();

/**
 * Resolves to what became of it; whoever asks again with the same state gets the same outcome.
 * Undefined when no answer came: nobody knows then whether the code was taken, and asking again is
 * safe, as the server takes it once.
 */
export function exchange(service: ServiceId, answer: Answer): Promise<Arrival | undefined> {
  const known = running.get(answer.state);
  if (known) {
    return known;
  }
  const outcome = ask(service, answer);
  running.set(answer.state, outcome);
  return outcome;
}

async function ask(service: ServiceId, { code, state }: Answer): Promise<Arrival | undefined> {
  try {
    await call(service === 'spotify' ? finishSpotify : finishAniList, { code, state });
    tellOtherTabs('connections');
    return { kind: 'linked' };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_response') {
      running.delete(state);
      return undefined;
    }
    const { label } = connectedServices[service];
    return { kind: 'failed', message: errorText(error, texts.notCompleted(label)) };
  }
}
