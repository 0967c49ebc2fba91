/** Encrypts values for the database with AES-256-GCM. */
import { createCipheriv, createDecipheriv } from 'node:crypto';

import { type Random } from '#server/lib/random';

import { deriveKey } from './derived-keys.ts';

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

export type SecretBox = {
  /** Only the same `context` opens the text again. */
  readonly seal: (text: string, context: string) => string;
  /** Undefined when the text was changed, or sealed with another context or key. */
  readonly open: (sealed: string, context: string) => string | undefined;
};

/** Each `purpose` has a key of its own. */
export function createSecretBox(
  { secretKey, random }: { readonly secretKey: string; readonly random: Random },
  purpose: string,
): SecretBox {
  const key = deriveKey(secretKey, `nori ${purpose}`);

  return {
    seal: (text, context) => {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')}`;
    },

    open: (sealed, context) => {
      const [, encoded] = sealed.split(`${version}.`);
      const bytes = Buffer.from(encoded ?? '', 'base64url');
      if (bytes.length < nonceBytes + tagBytes) {
        return undefined;
      }
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce)
          .setAAD(Buffer.from(context))
          .setAuthTag(tag);
        const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
