/**
 * An authenticator without hardware, as strict as a real one with its browser: it makes and uses passkeys only for the
 * domain of its page, verifies the user when that is required, makes none where it has one already, and counts. What it
 * signs can be forged in single places, as attackers would.
 */
import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';

import { type Answer, type CallInput, type Endpoint } from '#contract/endpoints/endpoint';
import { loginWithPasskey, requestPasskeyLogin } from '#contract/endpoints/passkey-login';
import {
  addPasskey,
  listPasskeys,
  requestPasskey,
  requestPasskeyProof,
} from '#contract/endpoints/passkeys';
import { readMe } from '#contract/endpoints/session';

import { ada, createTestServer, goodPassword, type Reply, type TestServer } from './test-server.ts';

type CreationOptions = Answer<typeof requestPasskey>['options'];
type RequestOptions = Answer<typeof requestPasskeyLogin>['options'];

type Forgery = {
  /** The page that the response says it comes from. */
  readonly origin?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly rpId?: string;
  readonly isUserVerified?: boolean;
  readonly counter?: number;
  /** Signs with another key. */
  readonly key?: KeyObject;
  readonly userHandle?: string;
};

type Stored = {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly key: KeyObject;
  counter: number;
};

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const encode = (data: Buffer | string) => Buffer.from(data).toString('base64url');

/** A refusal of the browser, by the name that it has there. */
function refuse(name: string): never {
  throw new DOMException(name, name);
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** `counts` is false for those that are synchronised: they always say 0. */
export function createAuthenticator({
  page = 'http://localhost',
  verifiesUser = true,
  counts = true,
} = {}) {
  const stored: Stored[] = [];
  const { hostname, protocol } = new URL(page);
  const isSecure = protocol === 'https:' || hostname === 'localhost';

  function checkPage(rpId: string): void {
    if (!isSecure || (hostname !== rpId && !hostname.endsWith(`.${rpId}`))) {
      refuse('SecurityError');
    }
  }

  function checkUser(wanted: string): void {
    if (wanted === 'required' && !verifiesUser) {
      refuse('NotAllowedError');
    }
  }

  const writeClientData = (type: string, challenge: string, forgery: Forgery) =>
    JSON.stringify({
      type: forgery.type ?? type,
      challenge: forgery.challenge ?? challenge,
      origin: forgery.origin ?? page,
      crossOrigin: false,
    });

  /** The bytes about a passkey that are signed; `attested` are those of a new one. */
  function writeData({ rpId, counter }: Stored, forgery: Forgery, attested?: Buffer): Buffer {
    const isVerified = forgery.isUserVerified ?? verifiesUser;
    const flags = 1 | (isVerified ? 4 : 0) | (attested ? 64 : 0);
    const numbers = Buffer.alloc(5);
    numbers.writeUInt8(flags);
    numbers.writeUInt32BE(forgery.counter ?? counter, 1);
    const data = [sha256(forgery.rpId ?? rpId), numbers, ...(attested ? [attested] : [])];
    return Buffer.concat(data);
  }

  return {
    /** The passkeys that it has. */
    stored,

    /** As `navigator.credentials.create()`. */
    create(options: CreationOptions, forgery: Forgery = {}) {
      checkPage(options.rp.id);
      checkUser(options.authenticatorSelection.userVerification);
      if (options.excludeCredentials.some(({ id }) => stored.some((one) => one.id === id))) {
        refuse('InvalidStateError');
      }
      if (!options.pubKeyCredParams.some(({ alg }) => alg === -7)) {
        refuse('NotSupportedError');
      }
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(32);
      const made: Stored = {
        id: encode(id),
        rpId: options.rp.id,
        userHandle: options.user.id,
        key: privateKey,
        counter: counts ? 1 : 0,
      };
      stored.push(made);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const aaguid = Buffer.alloc(16);
      const attested = Buffer.concat([aaguid, length, id, writePublicKey(publicKey)]);
      const data = writeData(made, forgery, attested);
      return {
        id: made.id,
        rawId: made.id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: encode(writeClientData('webauthn.create', options.challenge, forgery)),
          attestationObject: encode(writeAttestation(data)),
          transports: ['internal'],
        },
      };
    },

    /** As `navigator.credentials.get()`. */
    get(options: RequestOptions, forgery: Forgery = {}) {
      checkPage(options.rpId);
      checkUser(options.userVerification);
      const allowed = options.allowCredentials.map(({ id }) => id);
      const passkey = stored.find(
        ({ id, rpId }) => rpId === options.rpId && (allowed.length === 0 || allowed.includes(id)),
      );
      if (!passkey) {
        refuse('NotAllowedError');
      }
      passkey.counter += counts ? 1 : 0;
      const data = writeData(passkey, forgery);
      const clientData = writeClientData('webauthn.get', options.challenge, forgery);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(clientData)]))
        .sign(forgery.key ?? passkey.key);
      return {
        id: passkey.id,
        rawId: passkey.id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: encode(clientData),
          authenticatorData: encode(data),
          signature: encode(signature),
          userHandle: forgery.userHandle ?? passkey.userHandle,
        },
      };
    },
  };
}

/** A COSE key in CBOR: kty EC2, alg ES256, crv P-256, and both coordinates. */
function writePublicKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
}

/** In CBOR: `fmt` is none, `attStmt` is empty, and `authData` has less than 256 bytes. */
function writeAttestation(data: Buffer): Buffer {
  const text = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, data.length]),
    data,
  ]);
}

/** The options in an answer of the server. */
const optionsIn = <E extends Endpoint>(endpoint: E, { body }: Reply): Answer<E> =>
  v.parse(endpoint.output, body);

/** What a member adds a passkey with, and what for. */
type Adding = {
  readonly token: string;
  readonly proof?: CallInput<typeof requestPasskey>['proof'];
  readonly name?: string;
  readonly headers?: Record<string, string>;
  readonly forgery?: Forgery;
};

/** Adds a passkey as the page does. The proof is the password that tests use, unless there is another. */
export async function addPasskeyTo(
  server: TestServer,
  authenticator: Authenticator,
  { token, proof = { password: goodPassword }, name, headers = {}, forgery = {} }: Adding,
): Promise<Reply> {
  const asked = await server.call(requestPasskey, { proof }, { token, headers });
  if (asked.status !== 200) {
    return asked;
  }
  const { options } = optionsIn(requestPasskey, asked);
  const response = authenticator.create(options, forgery);
  return server.call(addPasskey, { response, name }, { token, headers });
}

/** Options for a login, as the login screen gets them. */
export async function askForLogin(server: TestServer): Promise<RequestOptions> {
  return optionsIn(requestPasskeyLogin, await server.call(requestPasskeyLogin, {})).options;
}

/** Logs in as the login screen does. */
export async function logInBy(
  server: TestServer,
  authenticator: Authenticator,
  forgery: Forgery = {},
): Promise<Reply> {
  const response = authenticator.get(await askForLogin(server), forgery);
  return server.call(loginWithPasskey, { response });
}

/** A proof by passkey, for the user of a session. */
export async function proveBy(
  server: TestServer,
  authenticator: Authenticator,
  { token, forgery = {} }: { readonly token: string; readonly forgery?: Forgery },
) {
  const asked = await server.call(requestPasskeyProof, {}, { token });
  return { passkey: authenticator.get(optionsIn(requestPasskeyProof, asked).options, forgery) };
}

export const tokenIn = ({ body }: Pick<Reply, 'body'>) =>
  v.parse(v.object({ access_token: v.string() }), body).access_token;

export const isAlive = async (server: TestServer, token: string) =>
  (await server.call(readMe, {}, { token })).status === 200;

/** How many of the replies have which status. */
export function countStatuses(replies: readonly Reply[]): Record<string, number> {
  const groups = Object.groupBy(replies, ({ status }) => String(status));
  return Object.fromEntries(
    Object.entries(groups).map(([status, found = []]) => [status, found.length]),
  );
}

/** The passkeys that the server lists for the user of a session. */
export async function readPasskeys(server: TestServer, token: string) {
  const { body } = await server.call(listPasskeys, {}, { token });
  return v.parse(listPasskeys.output, body).passkeys;
}

/** Ada, logged in, with one passkey. */
export async function withPasskey(options: Parameters<typeof createTestServer>[0] = {}) {
  const server = await createTestServer(options);
  const token = await server.signUp(ada);
  const authenticator = createAuthenticator();
  await addPasskeyTo(server, authenticator, { token, name: 'My phone' });
  return { server, token, authenticator };
}

const toBytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer;
const toText = (bytes: unknown) =>
  encode(bytes instanceof ArrayBuffer ? Buffer.from(bytes) : Buffer.from(String(bytes)));

/** Options as the page gives them to the browser, in JSON again. */
function toJson(value: unknown): unknown {
  if (value instanceof ArrayBuffer) {
    return toText(value);
  }
  if (Array.isArray(value)) {
    return value.map(toJson);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== undefined)
          .map(([name, inner]) => [name, toJson(inner)]),
      )
    : value;
}

type Response = ReturnType<Authenticator['create']> | ReturnType<Authenticator['get']>;

/** The classes of a browser, of which happy-dom has none. */
class StandInResponse {
  constructor(fields: object) {
    Object.assign(this, fields);
  }

  getTransports() {
    return ['internal'];
  }
}

class StandInCredential {
  constructor(fields: object) {
    Object.assign(this, fields);
  }

  getClientExtensionResults() {
    return {};
  }
}

/** What a browser returns to the page. */
function toCredential({ id, rawId, type, response }: Response) {
  const texts = Object.entries(response).filter(([name]) => name !== 'transports');
  return new StandInCredential({
    id,
    rawId: toBytes(rawId),
    type,
    response: new StandInResponse(
      Object.fromEntries(texts.map(([name, text]) => [name, toBytes(String(text))])),
    ),
  });
}

/** Gives the window of the app's tests an authenticator. The user closes its question while `isCancelling`. */
export function installPasskeys(authenticator: Authenticator) {
  const user = { isCancelling: false };
  const readOptions = (given: unknown) => {
    if (user.isCancelling) {
      refuse('NotAllowedError');
    }
    return { options: toJson(v.parse(v.object({ publicKey: v.unknown() }), given).publicKey) };
  };
  const classes = {
    PublicKeyCredential: StandInCredential,
    AuthenticatorAssertionResponse: StandInResponse,
  };
  Object.assign(globalThis, classes);
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      create: async (given: unknown) => {
        const { options } = v.parse(requestPasskey.output, readOptions(given));
        return toCredential(authenticator.create(options));
      },
      get: async (given: unknown) => {
        const { options } = v.parse(requestPasskeyLogin.output, readOptions(given));
        return toCredential(authenticator.get(options));
      },
    },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'credentials');
    for (const name of Object.keys(classes)) {
      Reflect.deleteProperty(globalThis, name);
    }
  });
  return user;
}
