/**
 * Keys that are derived from those of the server, each for one purpose, and what is signed with them. The server has one
 * key or several that follow each other: what is made uses the first, what is checked may have been made with any.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const keyBytes = 32;

/** `SECRET_KEY`, and those before it. */
export type SecretKeys = readonly [string, ...string[]];

/** The keys of one purpose, in the same order. */
export type Keys = readonly [Buffer, ...Buffer[]];

/** The key of a purpose, such as `nori videos`: what one signs is worth nothing for another. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', purpose, keyBytes));
}

export function deriveKeys([first, ...previous]: SecretKeys, purpose: string): Keys {
  return [deriveKey(first, purpose), ...previous.map((key) => deriveKey(key, purpose))];
}

export type Signer = {
  /** With the first key. */
  readonly sign: (data: string | Buffer) => Buffer;
  /** What each key signs, as `encode` returns it; that of the first key comes first. */
  readonly signAll: <Encoded>(
    data: string | Buffer,
    encode: (signature: Buffer) => Encoded,
  ) => readonly [Encoded, ...Encoded[]];
  /** Whether any of the keys has signed it; compared in constant time. */
  readonly isSigned: (data: string | Buffer, signature: Buffer) => boolean;
};

/** `bytes` is the length of the signatures. */
export function createSigner([first, ...previous]: Keys, bytes = keyBytes): Signer {
  const signWith = (key: Buffer, data: string | Buffer) =>
    createHmac('sha256', key).update(data).digest().subarray(0, bytes);

  return {
    sign: (data) => signWith(first, data),
    signAll: (data, encode) => [
      encode(signWith(first, data)),
      ...previous.map((key) => encode(signWith(key, data))),
    ],
    isSigned: (data, signature) =>
      signature.length === bytes &&
      [first, ...previous].some((key) => timingSafeEqual(signWith(key, data), signature)),
  };
}

/**
 * What names users and addresses in rows that outlive a key of the server, each with its purpose: the counts of limits,
 * what authenticators know a user by, and owners of chats without an account.
 */
export const keptPurposes = {
  limits: 'nori limits',
  passkeyUsers: 'nori passkey users',
  erasedIds: 'nori erased ids',
} as const;

export type KeptPurpose = keyof typeof keptPurposes;

/** They stay the same when the key of the server is replaced. */
export type KeptKeys = Readonly<Record<KeptPurpose, Keys>>;

const markBytes = 6;

/**
 * Returns a function from a Telegram ID to numbers below zero, which are the IDs of no user. The first is stored where
 * the ID of a deleted account stood and something has to be recognised all the same: that the owner of a chat, by whose
 * code others manage it, is still its owner. The others may have been stored before. Without the key of the server they
 * name no one.
 */
export function createErasedMarks(
  keys: Keys,
): (telegramId: number) => readonly [number, ...number[]] {
  const { signAll } = createSigner(keys, markBytes);
  return (telegramId) =>
    signAll(String(telegramId), (signature) => -1 - signature.readUIntBE(0, markBytes));
}
