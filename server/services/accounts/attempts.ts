/** Attempts: what a browser that begins something gets, and what its code is entered with. */
import { createHash } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';
import { createSigner, deriveKeys } from '#server/lib/derived-keys';
import { registrationLifetimeMs } from '#server/lib/limits';

const randomBytes = 18;
/** 128 bits. */
const signatureBytes = 16;

/** Only this is stored of an attempt; the attempt itself stays with the browser that registered. */
export function hashAttempt(attempt: string): string {
  return createHash('sha256').update(attempt).digest('hex');
}

/** What a code is valid for: the attempt, and the user whom the bot sends it to. Of another user it is worth nothing. */
export function bindToRecipient(attemptHash: string, telegramId: number): string {
  return `${attemptHash}:${telegramId}`;
}

/** Names an attempt to the bot, by a payload of Start. */
export function toStartParam(kind: 'verify' | 'reset', attempt: string): string {
  return `${kind}_${Buffer.from(hashAttempt(attempt), 'hex').toString('base64url')}`;
}

/** The hash of the attempt that a payload of Start names. */
export function readStartParam(
  payload: string,
): { readonly kind: 'verify' | 'reset'; readonly attemptHash: string } | undefined {
  const [, kind, id = ''] = /^(verify|reset)_([\w-]{43})$/.exec(payload) ?? [];
  const attemptHash = Buffer.from(id, 'base64url').toString('hex');
  return kind === 'verify' || kind === 'reset' ? { kind, attemptHash } : undefined;
}

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * An attempt is what the browser that registers gets, and what its code is entered with. It is signed,
 * so that it can be checked without looking whether anything waits.
 * An attempt of one purpose is not valid for another.
 */
export function createAttempts({ env, clock, random }: Dependencies, purpose: string) {
  const signer = createSigner(
    deriveKeys(env.secretKeys, `nori ${purpose} attempts`),
    signatureBytes,
  );

  return {
    make(telegramId: number): string {
      const until = (clock() + registrationLifetimeMs).toString(36);
      const text = `${random.bytes(randomBytes).toString('base64url')}.${until}`;
      return `${text}.${signer.sign(`${telegramId}|${text}`).toString('base64url')}`;
    },

    /** Whether the server made this attempt for this Telegram ID, and it has not expired. */
    isOurs(attempt: string, telegramId: number): boolean {
      const [nonce = '', until = '', signature = ''] = attempt.split('.');
      const text = `${telegramId}|${nonce}.${until}`;
      return (
        signer.isSigned(text, Buffer.from(signature, 'base64url')) &&
        Number.parseInt(until, 36) > clock()
      );
    },
  };
}

/**
 * A browser in which a user has logged in gets a token that says so. It opens nothing: failed logins that come with it
 * are counted apart from those of strangers, and a login with it is no news to the user.
 */
export function createKnownDevices({ env, random }: Dependencies) {
  const signer = createSigner(deriveKeys(env.secretKeys, 'nori known devices'), signatureBytes);

  /** What names the device in counts; undefined when the token is not one of this user. */
  function read(device: string | undefined, telegramId: number): string | undefined {
    const [nonce = '', signature = ''] = (device ?? '').split('.');
    const isOurs = signer.isSigned(`${telegramId}|${nonce}`, Buffer.from(signature, 'base64url'));
    return isOurs ? nonce : undefined;
  }

  return {
    read,

    /** The token after a login. A known device keeps its name, and is known by the key of today from then on. */
    make(telegramId: number, device?: string): string {
      const nonce = read(device, telegramId) ?? random.bytes(randomBytes).toString('base64url');
      return `${nonce}.${signer.sign(`${telegramId}|${nonce}`).toString('base64url')}`;
    },
  };
}
