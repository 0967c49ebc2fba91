/** Signs links that cannot carry a token, for one to two days or for a given time. */
import { createHmac, timingSafeEqual } from 'node:crypto';

import { deriveKey } from './derived-keys.ts';

const dayMs = 24 * 60 * 60_000;
/** 128 bits: as safe as a token, and the link stays short. */
const signatureBytes = 16;

/** From the query string of a link. */
type Signed = { readonly expires: string | undefined; readonly signature: string | undefined };

export type DaySignatures = {
  /** `until` is when it expires (epoch milliseconds): in one to two days when absent, the same all day, so that browsers can cache. */
  readonly sign: (
    text: string,
    until?: number,
  ) => { readonly expires: string; readonly signature: string };
  readonly isValid: (text: string, signed: Signed) => boolean;
};

/** A signature is valid for one `purpose` only. */
export function createDaySignatures(
  { secretKey, clock }: { readonly secretKey: string; readonly clock: () => number },
  purpose: string,
): DaySignatures {
  const key = deriveKey(secretKey, purpose);
  const createSignature = (text: string, expires: string) =>
    createHmac('sha256', key).update(`${text}?${expires}`).digest().subarray(0, signatureBytes);

  return {
    sign: (text, until = (Math.floor(clock() / dayMs) + 2) * dayMs) => {
      const expires = String(until);
      return { expires, signature: createSignature(text, expires).toString('base64url') };
    },

    isValid: (text, { expires = '', signature = '' }) => {
      const given = Buffer.from(signature, 'base64url');
      return (
        /^\d{1,15}$/.test(expires) &&
        given.length === signatureBytes &&
        timingSafeEqual(given, createSignature(text, expires)) &&
        Number(expires) > clock()
      );
    },
  };
}
