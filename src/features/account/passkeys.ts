/**
 * The calls about passkeys, and what the browser does between them. The library is loaded with the first passkey that is
 * used or made.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';

import { type Answer, type CallInput } from '#contract/endpoints/endpoint';
import {
  addPasskey,
  listPasskeys,
  loginWithPasskey,
  passkeys,
  type requestPasskey,
  requestPasskeyLogin,
  requestPasskeyProof,
} from '#contract/endpoints/passkeys';
import { call, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { usePlatform } from '#lib/platform';

import { passkeyLoginTexts as texts } from './passkey-texts.ts';

const loadLibrary = () => import('@simplewebauthn/browser');

/** Whether this server has passkeys and this browser can use them. Inside Telegram no client can. */
export function usePasskeysHere(): boolean {
  const isOffered = useCapabilities().has(passkeys) === true;
  const { launch } = usePlatform();
  return isOffered && launch.initData === undefined && 'PublicKeyCredential' in window;
}

export const passkeyQueries = {
  list: () =>
    queryOptions({
      queryKey: ['passkeys'],
      queryFn: ({ signal }) => call(listPasskeys, {}, signal),
      // One may be added on another device.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
};

/** The passkeys of the user, on servers that have passkeys. */
export function usePasskeys() {
  const isOffered = useCapabilities().has(passkeys) === true;
  const { data, error, refetch } = useQuery({ ...passkeyQueries.list(), enabled: isOffered });
  return { isOffered, list: data?.passkeys, error, refetch };
}

/** Rejects as `toPasskeyProblem` explains. */
export async function logInByPasskey(): Promise<Answer<typeof loginWithPasskey>> {
  const [{ options }, { startAuthentication }] = await Promise.all([
    call(requestPasskeyLogin, {}),
    loadLibrary(),
  ]);
  const response = await startAuthentication({ optionsJSON: options });
  return call(loginWithPasskey, { response });
}

/** Returns a proof by one of the user's passkeys. Rejects as `toPasskeyProblem` explains. */
export async function proveByPasskey() {
  const [{ options }, { startAuthentication }] = await Promise.all([
    call(requestPasskeyProof, {}),
    loadLibrary(),
  ]);
  return { passkey: await startAuthentication({ optionsJSON: options }) };
}

export type PasskeyOptions = Answer<typeof requestPasskey>['options'];

/** Makes a passkey by the options of the server, and adds it. Rejects as `toPasskeyProblem` explains. */
export async function makePasskey(
  options: PasskeyOptions,
  name: string,
): Promise<Answer<typeof addPasskey>> {
  const { startRegistration } = await loadLibrary();
  const response: CallInput<typeof addPasskey>['response'] = await startRegistration({
    optionsJSON: options,
  });
  return call(addPasskey, { response, name });
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
