/**
 * Passkeys, and what proves that the user of a session is present. A passkey belongs to the address of the site and is
 * used with a fingerprint, a face or a PIN, so it is two factors by itself. What an authenticator signs is a challenge
 * that is stored as a hash, is for one purpose and one user, and is valid once.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import * as v from 'valibot';

import { type authenticationResponse } from '#contract/endpoints/passkey-login';
import { passkeyLimits, type Proof, type registrationResponse } from '#contract/endpoints/passkeys';
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createAccountRepository } from '#server/db/accounts';
import {
  createPasskeyChallengeRepository,
  createPasskeyRepository,
  type Passkey,
} from '#server/db/passkeys';
import { createSigner } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { codeMinutes, limits, passkeyRules } from '#server/lib/limits';
import { type Caller, type SessionUser } from '#server/lib/requester';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { type AccountEvents } from './events.ts';
import { type Launches } from './launch-data.ts';
import { type OneTimePasswords } from './one-time-passwords.ts';
import { nameDevice } from './sessions.ts';
import { accountTexts } from './texts.ts';
import { type UserLanguageService } from './user-languages.ts';

type RegistrationResponse = v.InferOutput<typeof registrationResponse>;
export type AuthenticationResponse = v.InferOutput<typeof authenticationResponse>;

/** The site that passkeys are for: `id` is its domain. */
export type PasskeySite = { readonly id: string; readonly origin: string };

/** Where a response of an authenticator came to, and from whom. */
export type Visit = { readonly site: PasskeySite; readonly caller: Caller };

const siteName = 'Nori';
const localHost = 'localhost';

/**
 * The site that passkeys are for; undefined where browsers have none: at an IP address, and without HTTPS.
 * Without PUBLIC_URL anyone may invent the address of a request, so then it is only localhost.
 */
export function findPasskeySite(
  publicUrl: string | undefined,
  requestUrl: string,
): PasskeySite | undefined {
  const { protocol, hostname, host, origin } = new URL(publicUrl ?? requestUrl);
  if (publicUrl === undefined) {
    return hostname === localHost ? { id: localHost, origin: `http://${host}` } : undefined;
  }
  const isSecure = protocol === 'https:' || hostname === localHost;
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  return isSecure && !isAddress ? { id: hostname, origin } : undefined;
}

/** How a passkey is named outside: its ID identifies the user at other places of the same server. */
export function toPublicId({ id }: Pick<Passkey, 'id'>): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22);
}

/** Loaded when first needed, as most servers start more often than a user has a passkey. */
const loadLibrary = () => import('@simplewebauthn/server');

const hashChallenge = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** The challenges of authenticators. */
function createChallenges({ database: { db }, clock, random }: Dependencies) {
  const challenges = createPasskeyChallengeRepository(db);
  type Use = Omit<Parameters<typeof challenges.add>[0], 'hash'>;
  return {
    async make(use: Use): Promise<string> {
      const challenge = random.bytes(32).toString('base64url');
      const hash = hashChallenge(challenge);
      await challenges.add({ ...use, hash }, clock() + passkeyRules.challengeLifetimeMs);
      return challenge;
    },
    /** Uses up the challenge that was signed, and returns it. Throws `passkey_refused` when it is none for this. */
    async use(clientDataJSON: string, use: Use): Promise<string> {
      const parsed = v.safeParse(clientData, Buffer.from(clientDataJSON, 'base64url').toString());
      if (parsed.success) {
        const { challenge } = parsed.output;
        if (await challenges.use({ ...use, hash: hashChallenge(challenge) }, clock())) {
          return challenge;
        }
      }
      throw new AppError('passkey_refused');
    },
  };
}

const clientData = v.pipe(v.string(), v.parseJson(), v.object({ challenge: v.string() }));

type Challenges = ReturnType<typeof createChallenges>;

type Passkeys = ReturnType<typeof createPasskeys>;

type Tools = { readonly accountEvents: AccountEvents };
/** What an authenticator knows a user by: the first for a new passkey, the others for those of before. */
type ToHandles = (telegramId: number) => readonly [string, ...string[]];
type InnerTools = Tools & {
  readonly toHandles: ToHandles;
  readonly challenges: Challenges;
};

export function createPasskeys(deps: Dependencies, { accountEvents }: Tools) {
  const passkeys = createPasskeyRepository(deps.database.db);
  const challenges = createChallenges(deps);
  const signer = createSigner(deps.keptKeys.passkeyUsers);
  const toHandles: ToHandles = (telegramId) =>
    signer.signAll(String(telegramId), (signature) => signature.toString('base64url'));
  const check = createCheck(deps, { accountEvents, toHandles, challenges });

  return {
    /** Options for a login, the same for every caller: the user has not said who they are. */
    requestLogin: async (site: PasskeySite) => ({
      ...requestRules,
      rpId: site.id,
      challenge: await challenges.make({ purpose: 'login', telegramId: undefined }),
      allowCredentials: [],
    }),

    /** Returns whose passkey it is. Throws `passkey_unknown` or `passkey_refused`. */
    checkLogin: (response: AuthenticationResponse, visit: Visit): Promise<number> =>
      check(response, visit, undefined),

    requestProof: async ({ telegramId }: SessionUser, site: PasskeySite) => ({
      ...requestRules,
      rpId: site.id,
      challenge: await challenges.make({ purpose: 'confirm', telegramId }),
      allowCredentials: (await passkeys.list(telegramId)).map(toDescriptor),
    }),

    /** Throws `passkey_unknown`, also for a passkey of another user, or `passkey_refused`. */
    async checkProof(
      { telegramId }: SessionUser,
      response: AuthenticationResponse,
      visit: Visit,
    ): Promise<void> {
      await check(response, visit, telegramId);
    },

    list: ({ telegramId }: SessionUser) => passkeys.list(telegramId),

    ...createAdding(deps, { accountEvents, toHandles, challenges }),

    /** `id` as the list of the user names it. Does nothing for others. */
    async remove(
      { telegramId, sessionId }: SessionUser,
      id: string,
      caller: Caller,
    ): Promise<void> {
      const owned = await passkeys.list(telegramId);
      const found = owned.find((passkey) => toPublicId(passkey) === id);
      if (found && (await passkeys.remove(found))) {
        const { name } = found;
        const event = { kind: 'passkey_removed', telegramId, sessionId, caller } as const;
        await accountEvents.record({ ...event, detail: name });
      }
    },
  };
}

const requestRules = {
  timeout: passkeyRules.challengeLifetimeMs,
  userVerification: 'required',
} as const;

/** Found without the Telegram ID, and never used without a fingerprint, a face or a PIN. */
const creationRules = {
  timeout: passkeyRules.challengeLifetimeMs,
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
} as const;

/** EdDSA, ES256 and RS256, as COSE numbers them. */
const algorithms = [-8, -7, -257];

function createAdding(
  { database: { db }, clock }: Dependencies,
  { accountEvents, toHandles, challenges }: InnerTools,
) {
  const passkeys = createPasskeyRepository(db);
  const accounts = createAccountRepository(db);

  return {
    /** Options for a new passkey of a user who has proved to be present. Throws `too_many_passkeys`. */
    async requestAdding({ telegramId }: SessionUser, site: PasskeySite) {
      const owned = await passkeys.list(telegramId);
      if (owned.length >= passkeyLimits.perUser) {
        throw new AppError('too_many_passkeys');
      }
      const account = await accounts.find(telegramId);
      const { username, firstName } = account?.profile ?? {};
      const name = username === undefined ? String(telegramId) : `@${username}`;
      return {
        ...creationRules,
        rp: { id: site.id, name: siteName },
        user: { id: toHandles(telegramId)[0], name, displayName: firstName ?? name },
        challenge: await challenges.make({ purpose: 'register', telegramId }),
        pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
        excludeCredentials: owned.map(toDescriptor),
      };
    },

    /**
     * Adds what an authenticator made for the options of the user. Sessions go on. Throws `passkey_refused`,
     * `too_many_passkeys` or `unauthenticated`.
     */
    async add(
      { telegramId, sessionId }: SessionUser,
      made: Made,
      { site, caller }: Visit,
    ): Promise<Passkey> {
      const { clientDataJSON, transports } = made.response.response;
      const challenge = await challenges.use(clientDataJSON, { purpose: 'register', telegramId });
      const { id, publicKey, counter } = await readNew(made.response, { site, challenge });
      const passkey = {
        id,
        telegramId,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports,
        name: made.name || nameDevice(caller.userAgent),
        createdAt: clock(),
      };
      const result = await passkeys.add(passkey, passkeyLimits.perUser);
      if (result !== 'added') {
        throw new AppError(refusals[result]);
      }
      const { name } = passkey;
      const event = { kind: 'passkey_added', telegramId, sessionId, caller } as const;
      await accountEvents.record({ ...event, detail: name });
      return { ...passkey, lastUsedAt: undefined };
    },
  };
}

/** Without a name it gets that of the device. */
type Made = { readonly response: RegistrationResponse; readonly name?: string | undefined };

const refusals = {
  'too many': 'too_many_passkeys',
  'no account': 'unauthenticated',
  known: 'passkey_refused',
} as const;

const toDescriptor = ({ id, transports }: Passkey) => ({
  id,
  type: 'public-key' as const,
  transports: [...transports],
});

type Expected = { readonly site: PasskeySite; readonly challenge: string };

/** Throws `passkey_refused`. */
async function readNew(response: RegistrationResponse, { site, challenge }: Expected) {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    // Certificates are not wanted: checking them would load what addresses of the sender name.
    const object = Buffer.from(response.response.attestationObject, 'base64url');
    const attested = decodeAttestationObject(new Uint8Array(object));
    const isPlain = ['none', 'packed'].includes(attested.get('fmt'));
    if (isPlain && attested.get('attStmt').get('x5c') === undefined) {
      const { registrationInfo } = await verifyRegistrationResponse({
        response: withResults(response),
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      });
      if (registrationInfo && registrationInfo.credential.id === response.id) {
        return registrationInfo.credential;
      }
    }
  } catch {
    // The library says in English what is wrong with the response, for developers.
  }
  throw new AppError('passkey_refused');
}

/** The library wants them, and we have asked for no extension. */
const withResults = <Response extends object>(response: Response) => ({
  ...response,
  clientExtensionResults: {},
});

/**
 * Returns the function that checks a response, and returns whose passkey it is. `expected` is the user of the session;
 * undefined at a login.
 */
function createCheck(
  { database, clock }: Dependencies,
  { accountEvents, toHandles, challenges }: InnerTools,
) {
  const passkeys = createPasskeyRepository(database.db);

  return async (
    response: AuthenticationResponse,
    { site, caller }: Visit,
    expected: number | undefined,
  ): Promise<number> => {
    const found = await passkeys.find(response.id);
    if (!found || (expected !== undefined && found.telegramId !== expected)) {
      throw new AppError('passkey_unknown');
    }
    const { telegramId, name } = found;
    const challenge = await challenges.use(response.response.clientDataJSON, {
      purpose: expected === undefined ? 'login' : 'confirm',
      telegramId: expected,
    });
    const counter = await verify(response, found, { site, challenge });
    // At a login the handle says who the user is; it must not be another than the owner of the key.
    const { userHandle } = response.response;
    const isOwner =
      userHandle === '' ? expected !== undefined : toHandles(telegramId).includes(userHandle);
    if (!isOwner) {
      throw new AppError('passkey_refused');
    }
    if (!(await passkeys.use(found.id, { counter, at: clock() }))) {
      await accountEvents.record({ kind: 'passkey_copied', telegramId, caller, detail: name });
      throw new AppError('passkey_refused');
    }
    return telegramId;
  };
}

/** Returns the counter of the authenticator. Throws `passkey_refused`. */
async function verify(
  response: AuthenticationResponse,
  passkey: Passkey,
  { site, challenge }: Expected,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: withResults(response),
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // The database compares it, in the statement that stores the new one.
        counter: 0,
      },
    });
    if (verified) {
      return authenticationInfo.newCounter;
    }
  } catch {
    // The library says in English what is wrong with the response, for developers.
  }
  throw new AppError('passkey_refused');
}

const purpose = 'confirmation';

type ConfirmationTools = {
  readonly launches: Launches;
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly passkeys: Passkeys;
  readonly userLanguages: UserLanguageService;
  /** Throws `wrong_password`, or `rate_limited` after too many wrong ones. */
  readonly confirmPassword: (user: SessionUser, password: string) => Promise<unknown>;
};

/**
 * What proves that the user of a session is present, before credentials are changed or the account is deleted. All tries
 * are counted for the session: strangers have none, and who has stolen one uses up nothing of the others.
 */
export function createConfirmations({
  limiter,
  launches,
  messages,
  oneTimePasswords,
  passkeys,
  userLanguages,
  confirmPassword,
}: ConfirmationTools) {
  return {
    /** Sends the code that proves it. Throws `rate_limited` or `telegram_unavailable`. */
    async sendCode({ telegramId, sessionId }: SessionUser, asked: Language): Promise<void> {
      const count = { purpose, recipient: telegramId } as const;
      await oneTimePasswords.countSend(count);
      try {
        const code = await oneTimePasswords.make({ purpose, subject: sessionId });
        const { language } = await userLanguages.readLanguage(telegramId, { fallback: asked });
        await messages.send(telegramId, language, (say) => ({
          text: say(accountTexts).confirmationCode(code, codeMinutes),
          code,
        }));
      } catch (error) {
        await oneTimePasswords.refundSend(count);
        throw error;
      }
    },

    /**
     * Checks the proof. Throws `wrong_password`, `invalid_code`, `launch_too_old`, `passkey_unknown`,
     * `passkey_refused`, `rate_limited`; `not_found` for a passkey where there are none.
     */
    async check(
      user: SessionUser,
      { password = '', init_data, otp_code, passkey }: Proof,
      { site, caller }: { readonly site: PasskeySite | undefined; readonly caller: Caller },
    ): Promise<void> {
      if (password !== '') {
        await confirmPassword(user, password);
        return;
      }
      await limiter.take(limits.proofs, user.sessionId);
      if (otp_code !== undefined) {
        await oneTimePasswords.verify({ purpose, subject: user.sessionId, code: otp_code });
      } else if (passkey !== undefined) {
        if (site === undefined) {
          throw new AppError('not_found');
        }
        await passkeys.checkProof(user, passkey, { site, caller });
      } else {
        const { telegramId } = user;
        if (!(await launches.proves(telegramId, { initData: init_data, caller }))) {
          throw new AppError('launch_too_old');
        }
      }
    },
  };
}
