/** Keys that are derived from the one of the server, each for one purpose. */
import { createHmac, hkdfSync } from 'node:crypto';

const keyBytes = 32;

/** The key of a purpose, such as `nori videos`: what one signs is worth nothing for another. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', purpose, keyBytes));
}

const markBytes = 6;

/**
 * Returns a function from a Telegram ID to a number below zero, which is the ID of no user. It stands for the ID of a
 * deleted account where something has to be recognised all the same: that the owner of a chat, by whose code others
 * manage it, is still its owner. Without the key of the server it names no one.
 */
export function createErasedMarks(secretKey: string): (telegramId: number) => number {
  const key = deriveKey(secretKey, 'nori erased ids');
  return (telegramId) =>
    -1 - createHmac('sha256', key).update(String(telegramId)).digest().readUIntBE(0, markBytes);
}
