/** Encrypts values for the database with AES-256-GCM. */
import { createCipheriv, createDecipheriv } from 'node:crypto';

import { type Random } from '#server/lib/random';

import { createSigner, type Keys } from './derived-keys.ts';

const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 6;

/** The ID of the key, the version and the value. Values of earlier servers have no ID. */
const sealedPattern = /^(?:[\da-f]{12}\.)?v1\.([\w-]+)$/;

export type SecretBox = {
  /** With the first key. Only the same `context` opens the text again. */
  readonly seal: (text: string, context: string) => string;
  /** Undefined when the text was changed, or sealed with another context or with none of the keys. */
  readonly open: (sealed: string, context: string) => string | undefined;
  /** How everything begins that is sealed with the first key. */
  readonly prefix: string;
};

export function createSecretBox(keys: Keys, random: Random): SecretBox {
  const [first] = keys;
  // It says which key has sealed a value, and nothing about the key.
  const prefix = `${createSigner([first], keyIdBytes).sign('nori key id').toString('hex')}.v1.`;

  return {
    prefix,

    seal: (text, context) => {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(context));
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${prefix}${Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')}`;
    },

    open: (sealed, context) => {
      const [, encoded = ''] = sealedPattern.exec(sealed) ?? [];
      const bytes = Buffer.from(encoded, 'base64url');
      for (const key of bytes.length < nonceBytes + tagBytes ? [] : keys) {
        const text = openWith(key, bytes, context);
        if (text !== undefined) {
          return text;
        }
      }
      return undefined;
    },
  };
}

function openWith(key: Buffer, bytes: Buffer, context: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
