/**
 * Stands for the Telegram ID of a deleted account where something has to be recognised all the same: that the owner of a
 * chat, by whose code others manage it, is still its owner. A keyed hash: without the key of the server it names no one.
 */
import { createHmac, hkdfSync } from 'node:crypto';

const markBytes = 6;

/** Returns a function from an ID to its mark: a number below zero, which is the ID of no user. */
export function createErasedMarks(secretKey: string): (telegramId: number) => number {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'nori erased ids', 32));
  return (telegramId) =>
    -1 - createHmac('sha256', key).update(String(telegramId)).digest().readUIntBE(0, markBytes);
}
