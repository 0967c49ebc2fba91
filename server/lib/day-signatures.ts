/** Signatures under texts that may be looked at for a day or two: for links that cannot carry a token. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { type Dependencies } from '#server/app/dependencies';

const dayMs = 24 * 60 * 60_000;
/** 128 bits: as good as a token, and the link stays short. */
const signatureBytes = 16;

/** As the query string of a link brings it. */
type Signed = { readonly expires: string | undefined; readonly signature: string | undefined };

export type DaySignatures = {
  /** `expires` in ms since 1970, in one to two days: the same all day, so that browsers find what they have kept. */
  readonly sign: (text: string) => { readonly expires: string; readonly signature: string };
  readonly isGood: (text: string, signed: Signed) => boolean;
};

/** `purpose` keeps the signatures of one kind of link from being good for another. */
export function createDaySignatures(
  { env, clock }: Pick<Dependencies, 'env' | 'clock'>,
  purpose: string,
): DaySignatures {
  const key = Buffer.from(hkdfSync('sha256', env.secretKey, '', purpose, 32));
  const signatureOf = (text: string, expires: string) =>
    createHmac('sha256', key).update(`${text}?${expires}`).digest().subarray(0, signatureBytes);

  return {
    sign: (text) => {
      const expires = String((Math.floor(clock() / dayMs) + 2) * dayMs);
      return { expires, signature: signatureOf(text, expires).toString('base64url') };
    },

    isGood: (text, { expires = '', signature = '' }) => {
      const given = Buffer.from(signature, 'base64url');
      return (
        /^\d{1,15}$/.test(expires) &&
        given.length === signatureBytes &&
        timingSafeEqual(given, signatureOf(text, expires)) &&
        Number(expires) > clock()
      );
    },
  };
}
