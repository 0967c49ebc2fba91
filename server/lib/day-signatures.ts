/** Signs links that cannot carry a token, for one to two days or for a given time. */
import { createSigner, type Keys } from './derived-keys.ts';

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

export function createDaySignatures(keys: Keys, clock: () => number): DaySignatures {
  const signer = createSigner(keys, signatureBytes);

  return {
    sign: (text, until = (Math.floor(clock() / dayMs) + 2) * dayMs) => {
      const expires = String(until);
      return { expires, signature: signer.sign(`${text}?${expires}`).toString('base64url') };
    },

    isValid: (text, { expires = '', signature = '' }) =>
      /^\d{1,15}$/.test(expires) &&
      signer.isSigned(`${text}?${expires}`, Buffer.from(signature, 'base64url')) &&
      Number(expires) > clock(),
  };
}
