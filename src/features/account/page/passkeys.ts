/** The calls about the passkeys of the user, and what the browser does between them. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';

import { type Answer } from '#contract/endpoints/endpoint';
import { passkeys } from '#contract/endpoints/passkey-login';
import {
  addPasskey,
  listPasskeys,
  type requestPasskey,
  requestPasskeyProof,
} from '#contract/endpoints/passkeys';
import { call } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';

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
  const query = useQuery({ ...passkeyQueries.list(), enabled: isOffered });
  return { isOffered, list: query.data?.passkeys, query };
}

/** Returns a proof by one of the user's passkeys. Rejects with what `toPasskeyProblem` reads. */
export async function proveByPasskey() {
  const { options } = await call(requestPasskeyProof, {});
  return { passkey: await startAuthentication({ optionsJSON: options }) };
}

export type PasskeyOptions = Answer<typeof requestPasskey>['options'];

/** Makes a passkey by the options of the server, and adds it. Rejects with what `toPasskeyProblem` reads. */
export async function makePasskey(
  options: PasskeyOptions,
  name: string,
): Promise<Answer<typeof addPasskey>> {
  const response = await startRegistration({ optionsJSON: options });
  return call(addPasskey, { response, name });
}
