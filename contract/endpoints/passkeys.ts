/** Passkeys: adding and removing them, and what proves that the user of a session is present. */
import * as v from 'valibot';

import { endpoint, initData, message, noAnswer, noInput, otpCode } from './endpoint.ts';
import { fieldTexts } from './field-texts.ts';
import {
  authenticationResponse,
  base64url,
  clientDataJSON,
  credential,
  descriptor,
  requestOptions,
  userVerification,
} from './passkey-login.ts';

/** The capability of a server that takes other proofs than the password. */
export const confirmations = 'auth.confirmation';

export const passkeyLimits = { perUser: 10, nameLength: 64 } as const;

const transports = v.optional(
  v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(8)),
  [],
);

/** What an authenticator answers when it makes a passkey. */
export const registrationResponse = v.object({
  ...credential,
  response: v.object({ clientDataJSON, attestationObject: base64url(16_384), transports }),
});

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
