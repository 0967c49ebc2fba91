/** Where passkeys are possible, and what is said when one fails. */
import { passkeys } from '#contract/endpoints/passkey-login';
import { errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { usePlatform } from '#lib/platform';

import { passkeyLoginTexts as texts } from './passkey-texts.ts';

/** Whether this server has passkeys and this browser can use them. Inside Telegram no client can. */
export function usePasskeysHere(): boolean {
  const isOffered = useCapabilities().has(passkeys) === true;
  const { launch } = usePlatform();
  return isOffered && launch.initData === undefined && 'PublicKeyCredential' in window;
}

/** What to say about a failure; undefined when the user has cancelled, who knows it. */
export function toPasskeyProblem(error: unknown, fallback: string): string | undefined {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return undefined;
  }
  if (name === 'InvalidStateError') {
    return texts.known;
  }
  const isMissing = ['NotSupportedError', 'SecurityError', 'ConstraintError'].includes(name);
  return isMissing ? texts.notSupported : errorText(error, fallback);
}
