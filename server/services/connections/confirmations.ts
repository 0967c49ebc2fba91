/**
 * Links that were agreed to in a browser without a session. The person there may be another than the one who began, so
 * that nothing is linked before both are shown to be the same: the bot sends a code to the user who began, and only the
 * page to which the service sent the person back can enter it.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import { type Dependencies } from '#server/app/dependencies';
import {
  createConnectionAttemptRepository,
  createConnectionRepository,
  createUnconfirmedRepository,
  type StoredConnection,
} from '#server/db/connections';
import { createSigner, deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { codeMinutes, codeRules } from '#server/lib/limits';
import { type Caller } from '#server/lib/requester';
import { createSecretBox } from '#server/lib/secret-box';
import { type Messages } from '#server/services/messages';
import {
  type AccountEvents,
  type OneTimePasswords,
  type UserLanguageService,
} from '#services/accounts';

import { connectionTexts } from './texts.ts';

const purpose = 'connection';

/** S256 of PKCE; also used to store states. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export type ConfirmationTools = {
  readonly accountEvents: AccountEvents;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly userLanguages: UserLanguageService;
};

/** What the page needs to ask for the code. */
export type Unconfirmed = {
  /** Proves that the service has sent the person back to this page. */
  readonly proof: string;
  /** The end of the Telegram ID of the user who began. */
  readonly telegramUser: string;
};

/** What a service has answered. The tokens are encrypted. */
type Answer = Omit<StoredConnection, 'linkedAt'>;

const heldAnswer = v.object({
  proofHash: v.string(),
  accessToken: v.string(),
  refreshToken: v.optional(v.string()),
  expiresAt: v.optional(v.number()),
  accountName: v.optional(v.string()),
});

/** The first is made with the key of today, the others with earlier ones. */
type Proofs = readonly [string, ...string[]];

type Visit = {
  readonly service: ServiceId;
  readonly stateHash: string;
  /** What the page has, or may have. */
  readonly proofs: Proofs;
  /** Undefined without a session. */
  readonly sessionUserId: number | undefined;
  readonly caller: Caller;
};

type FoundAttempt = NonNullable<
  Awaited<ReturnType<ReturnType<typeof createConnectionAttemptRepository>['find']>>
>;

export type Confirmations = ReturnType<typeof createConfirmations>;

export function createConfirmations(deps: Dependencies, tools: ConfirmationTools) {
  const { env, database, clock } = deps;
  const attempts = createConnectionAttemptRepository(database.db);
  const waiting = createUnconfirmedRepository(database.db);
  const signer = createSigner(deriveKeys(env.secretKeys, 'nori connection pages'));
  const answers = createAnswers(deps);
  const link = createLink(deps, tools);
  const sendCode = createCodeSender(tools);

  /** Throws `invalid_code`, and `connection_attempt_unknown` after too many wrong codes. */
  async function verify(stateHash: string, telegramId: number, code: string): Promise<void> {
    try {
      const limitKey = String(telegramId);
      await tools.oneTimePasswords.verify({ purpose, subject: stateHash, code, limitKey });
    } catch (error) {
      if (await waiting.removeLocked(stateHash, codeRules.maxTries)) {
        throw new AppError('connection_attempt_unknown', {
          detail: (say) => say(connectionTexts).tooManyCodes,
        });
      }
      throw error;
    }
  }

  return {
    /** What only a page can have that knows the service's code. The same for a page that is loaded again. */
    prove: (stateHash: string, code: string): Proofs =>
      signer.signAll(`${stateHash} ${code}`, (signature) => signature.toString('base64url')),

    /**
     * The service has answered: links the account for the user's own session, else keeps the answer and sends the code.
     * Throws `bot_not_started` when the bot may not write to the user, and `telegram_unavailable`.
     */
    async settle(
      visit: Visit & { readonly telegramId: number; readonly answer: Answer },
    ): Promise<string | Unconfirmed> {
      const { telegramId, service, stateHash, proofs, answer, sessionUserId } = visit;
      const [proof] = proofs;
      if (sessionUserId === telegramId) {
        await link(visit);
        return `${connectedServices[service].label} is linked.`;
      }
      const held = {
        answer: answers.seal(answer, { stateHash, proof }),
        expiresAt: clock() + codeRules.lifetimeMs,
      };
      if (!(await waiting.hold(stateHash, held))) {
        throw new AppError('connection_attempt_unknown');
      }
      await sendCode(visit);
      return { proof, telegramUser: maskId(telegramId) };
    },

    /** The page was loaded again, after another load has exchanged the code. Throws `connection_attempt_unknown`. */
    async resume(
      visit: Visit & { readonly found: FoundAttempt | undefined },
    ): Promise<string | Unconfirmed> {
      const { found, service, sessionUserId } = visit;
      const { label } = connectedServices[service];
      if (found?.status === 'linked') {
        return `${label} is linked already.`;
      }
      const { telegramId, answer, proof } = answers.open(found, visit);
      if (sessionUserId !== telegramId) {
        return { proof, telegramUser: maskId(telegramId) };
      }
      await link({ ...visit, telegramId, answer });
      return `${label} is linked.`;
    },

    /**
     * Links the account with the code of the bot. Throws `invalid_code`; and `connection_attempt_unknown` when it is too
     * late, after too many wrong codes, and for every page but the one that has the proof.
     */
    async confirm(
      visit: Omit<Visit, 'stateHash' | 'proofs'> & {
        readonly state: string;
        readonly code: string;
        readonly proof: string;
      },
    ): Promise<string> {
      const { service, state, sessionUserId, code, proof } = visit;
      const { label } = connectedServices[service];
      const stateHash = hash(state);
      const found = await attempts.find(stateHash, service, clock());
      if (found?.status === 'linked') {
        return `${label} is linked already.`;
      }
      const { telegramId, answer } = answers.open(found, { stateHash, proofs: [proof] });
      if (sessionUserId !== undefined && sessionUserId !== telegramId) {
        throw new AppError('foreign_person', { detail: (say) => say(connectionTexts).foreignLink });
      }
      await verify(stateHash, telegramId, code);
      await link({ ...visit, stateHash, telegramId, answer });
      return `${label} is linked.`;
    },
  };
}

/** Seals what a service has answered for the page that has the proof. */
function createAnswers({ env, random }: Dependencies) {
  const box = createSecretBox(deriveKeys(env.secretKeys, 'nori connection answers'), random);

  return {
    seal: (
      answer: Answer,
      { stateHash, proof }: Pick<Visit, 'stateHash'> & { readonly proof: string },
    ): string => box.seal(JSON.stringify({ ...answer, proofHash: hash(proof) }), stateHash),

    /** Throws `connection_attempt_unknown` when nothing waits for this page. */
    open: (
      found: FoundAttempt | undefined,
      { stateHash, proofs }: Pick<Visit, 'stateHash' | 'proofs'>,
    ): { readonly telegramId: number; readonly answer: Answer; readonly proof: string } => {
      const text = box.open(found?.answer ?? '', stateHash);
      const held = text === undefined ? undefined : v.parse(heldAnswer, JSON.parse(text));
      const proof = held && proofs.find((one) => isSame(held.proofHash, hash(one)));
      if (found?.status !== 'unconfirmed' || !held || proof === undefined) {
        throw new AppError('connection_attempt_unknown');
      }
      const { accessToken, refreshToken, expiresAt, accountName } = held;
      return {
        telegramId: found.telegram_id,
        proof,
        answer: { accessToken, refreshToken, expiresAt, accountName },
      };
    },
  };
}

type Link = Pick<Visit, 'service' | 'stateHash' | 'caller'> & {
  readonly telegramId: number;
  readonly answer: Answer;
};

/** Returns the function that links an account, unless its attempt has ended meanwhile. */
function createLink(
  { database: { db }, clock }: Dependencies,
  { accountEvents }: Pick<ConfirmationTools, 'accountEvents'>,
) {
  return async ({ telegramId, service, stateHash, answer, caller }: Link): Promise<void> => {
    await db.transaction().execute(async (tx) => {
      if (!(await createConnectionAttemptRepository(tx).finish(stateHash))) {
        throw new AppError('connection_attempt_unknown');
      }
      const connection = { ...answer, linkedAt: clock() };
      await createConnectionRepository(tx).put({ telegramId, service }, connection);
    });
    const detail = connectedServices[service].label;
    await accountEvents.record({ kind: 'linked', telegramId, caller, detail });
  };
}

type CodeReason = Pick<Link, 'telegramId' | 'service' | 'stateHash' | 'answer'>;

function createCodeSender({ messages, oneTimePasswords, userLanguages }: ConfirmationTools) {
  return async ({ telegramId, service, stateHash, answer }: CodeReason): Promise<void> => {
    const { label } = connectedServices[service];
    const code = await oneTimePasswords.make({ purpose, subject: stateHash });
    const { language } = await userLanguages.readLanguage(telegramId);
    const outcome = await messages.send(telegramId, language, (say) => ({
      text: [
        say(connectionTexts).code(code, label),
        describe(answer, label, say),
        say(connectionTexts).enterCode(codeMinutes),
      ].join('\n\n'),
      code,
    }));
    if (outcome === 'unreachable') {
      throw new AppError('bot_not_started', {
        detail: (say) => say(connectionTexts).unreachable(label),
      });
    }
  };
}

const maxNameLength = 60;

/** Another person may have chosen the name, so it is one short line. */
function describe({ accountName = '' }: Answer, label: string, say: Say): string {
  const name = accountName.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const texts = say(connectionTexts);
  return name === '' ? texts.agreed(label) : texts.agreedAs(label, name.slice(0, maxNameLength));
}

/** Enough of a Telegram ID for its user to recognise it. */
function maskId(telegramId: number): string {
  return `•••${String(telegramId).slice(-3)}`;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
