/** Links to private files: whoever has one may look, for a while. An `<img>` cannot send a token. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { type Dependencies } from '#server/lib/dependencies';

const dayMs = 24 * 60 * 60_000;
/** 128 bits: as good as a token, and the link stays short. */
const signatureBytes = 16;

export type MediaLinks = {
  /** The file at this path, signed: good for one to two days. */
  readonly sign: (path: string) => string;
  readonly isGood: (
    path: string,
    link: { readonly expires: string | undefined; readonly signature: string | undefined },
  ) => boolean;
};

/** Paths begin after `/backend`. Links are absolute where the public address is known. */
export function createMediaLinks({ env, clock }: Pick<Dependencies, 'env' | 'clock'>): MediaLinks {
  const key = Buffer.from(hkdfSync('sha256', env.secretKey, '', 'nori media links', 32));
  const signatureOf = (path: string, expires: number) =>
    createHmac('sha256', key).update(`${path}?${expires}`).digest().subarray(0, signatureBytes);

  return {
    sign: (path) => {
      // The same all day long, so that browsers find what they have kept.
      const expires = (Math.floor(clock() / dayMs) + 2) * dayMs;
      const signature = signatureOf(path, expires).toString('base64url');
      return `${env.publicUrl ?? ''}/backend${path}?expires=${expires}&signature=${signature}`;
    },

    isGood: (path, { expires, signature }) => {
      const until = /^\d{1,15}$/.test(expires ?? '') ? Number(expires) : 0;
      const given = Buffer.from(signature ?? '', 'base64url');
      return (
        given.length === signatureBytes &&
        timingSafeEqual(given, signatureOf(path, until)) &&
        until > clock()
      );
    },
  };
}
