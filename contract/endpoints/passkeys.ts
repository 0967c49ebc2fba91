/**
 * Passkeys: logging in by one, adding and removing them, and what proves that the user of a session is present. Options
 * and responses are those of WebAuthn in JSON: https://w3c.github.io/webauthn/#sctn-parseCreationOptionsFromJSON
 */
import * as v from 'valibot';

import { endpoint, initData, message, noAnswer, noInput, otpCode } from './endpoint.ts';
import { fieldTexts } from './field-texts.ts';
import { newSession } from './session.ts';

/** The capability of a server that has these calls: passkeys need an address with a domain. */
export const passkeys = 'auth.passkeys';

/** The capability of a server that takes other proofs than the password. */
export const confirmations = 'auth.confirmation';

export const passkeyLimits = { perUser: 10, nameLength: 64 } as const;

const base64url = (maxLength: number) =>
  v.pipe(v.string(), v.regex(/^[\w-]+$/), v.maxLength(maxLength));

/** At most 1023 bytes, as WebAuthn says. */
const credentialId = base64url(1364);

const transports = v.exactOptional(
  v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(8)),
);

const clientDataJSON = base64url(4096);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: v.literal('public-key'),
} as const;

/** What an authenticator answers when it makes a passkey. */
export const registrationResponse = v.object({
  ...credential,
  response: v.object({ clientDataJSON, attestationObject: base64url(16_384), transports }),
});

/** What an authenticator answers with a passkey that it has. */
export const authenticationResponse = v.object({
  ...credential,
  response: v.object({
    clientDataJSON,
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: v.exactOptional(base64url(128)),
  }),
});

const descriptor = v.object({
  id: v.string(),
  type: v.literal('public-key'),
  transports: v.exactOptional(v.array(v.string())),
});

const userVerification = v.picklist(['required', 'preferred', 'discouraged']);

const creationOptions = v.object({
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  challenge: v.string(),
  pubKeyCredParams: v.array(v.object({ alg: v.number(), type: v.literal('public-key') })),
  timeout: v.number(),
  excludeCredentials: v.array(descriptor),
  authenticatorSelection: v.object({
    residentKey: userVerification,
    requireResidentKey: v.boolean(),
    userVerification,
  }),
  attestation: v.literal('none'),
});

const requestOptions = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  /** Absent at a login: the user has not said who they are. */
  allowCredentials: v.exactOptional(v.array(descriptor)),
  userVerification,
});

/** The inputs of a proof: the password, launch data of the last hour, a code of the bot, or a passkey. */
export const proofInputs = {
  password: v.optional(v.pipe(v.string(), v.maxLength(256))),
  init_data: v.optional(initData),
  otp_code: v.optional(otpCode),
  passkey: v.optional(authenticationResponse),
} as const;

/** Proves that the user is present, as an open session may have been stolen. An empty password is none. */
export const proof = v.pipe(
  v.object(proofInputs),
  v.check(
    (given) => Object.values(given).some((value) => value !== undefined && value !== ''),
    fieldTexts.allFieldsRequired,
  ),
);

export type Proof = v.InferOutput<typeof proof>;

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
  input: v.object({ response: authenticationResponse }),
  output: newSession,
});

/** Options for a passkey as proof: those of the user. */
export const requestPasskeyProof = endpoint({
  method: 'POST',
  path: '/auth/passkeys/proof/options',
  input: noInput,
  output: v.object({ options: requestOptions }),
});

/** Has the bot send the user a code that proves who they are. It is valid for this session only. */
export const requestConfirmationCode = endpoint({
  method: 'POST',
  path: '/auth/confirmation/code',
  input: noInput,
  output: message,
  status: 202,
});

/** Times are ISO 8601 UTC. */
const passkeyInfo = v.object({
  id: v.string(),
  name: v.string(),
  created_at: v.string(),
  last_used_at: v.optional(v.string()),
});

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/auth/passkeys',
  input: noInput,
  output: v.object({ passkeys: v.array(passkeyInfo) }),
});

/** Begins to add one. The proof comes first, so that none is made that is then refused. */
export const requestPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkeys/options',
  input: v.object({ proof }),
  output: v.object({ options: creationOptions }),
});

/** `response` answers the options of this user, which are valid once and for five minutes. */
export const addPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkeys',
  input: v.object({
    response: registrationResponse,
    /** The name of the device when absent or empty. */
    name: v.optional(
      v.pipe(
        v.string(),
        v.transform((name) => name.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()),
        v.maxLength(passkeyLimits.nameLength),
      ),
    ),
  }),
  output: passkeyInfo,
  status: 201,
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/auth/passkeys/:id',
  body: ['proof'],
  input: v.object({ id: v.pipe(v.string(), v.maxLength(64)), proof }),
  output: noAnswer,
  status: 204,
});
