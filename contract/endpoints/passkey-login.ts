/**
 * Logging in by passkey. Options and responses are those of WebAuthn in JSON:
 * https://w3c.github.io/webauthn/#sctn-parseCreationOptionsFromJSON
 */
import * as v from 'valibot';

import { endpoint, noInput } from './endpoint.ts';
import { knownDevice, newSession } from './session.ts';

/** The capability of a server that has these calls: passkeys need an address with a domain. */
export const passkeys = 'auth.passkeys';

export const base64url = (maxLength: number) =>
  v.pipe(v.string(), v.regex(/^[\w-]+$/), v.maxLength(maxLength));

/** At most 1023 bytes, as WebAuthn says. */
const credentialId = base64url(1364);

export const clientDataJSON = base64url(4096);

/** What is the same in all responses. */
export const credential = {
  id: credentialId,
  rawId: credentialId,
  type: v.literal('public-key'),
} as const;

/** What an authenticator answers with a passkey that it has. */
export const authenticationResponse = v.object({
  ...credential,
  response: v.object({
    clientDataJSON,
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: v.optional(base64url(128), ''),
  }),
});

/** A passkey that the server knows. */
export const descriptor = v.object({
  id: v.string(),
  type: v.literal('public-key'),
  transports: v.array(v.string()),
});

export const userVerification = v.picklist(['required', 'preferred', 'discouraged']);

export const requestOptions = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  /** Empty at a login: the user has not said who they are. */
  allowCredentials: v.array(descriptor),
  userVerification,
});

/** The same for every caller: no ID is asked for. */
export const requestPasskeyLogin = endpoint({
  method: 'POST',
  path: '/auth/passkeys/login/options',
  input: noInput,
  output: v.object({ options: requestOptions }),
});

export const loginWithPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkeys/login',
  input: v.object({ response: authenticationResponse, device: knownDevice }),
  output: newSession,
});
