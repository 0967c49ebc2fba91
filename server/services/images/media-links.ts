import { type Dependencies } from '#server/app/dependencies';
/** Links to private files: whoever has one may look, for a while. An `<img>` cannot send a token. */
import { createDaySignatures } from '#server/lib/day-signatures';

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
  const signatures = createDaySignatures({ env, clock }, 'nori media links');

  return {
    sign: (path) => {
      const { expires, signature } = signatures.sign(path);
      return `${env.publicUrl ?? ''}/backend${path}?expires=${expires}&signature=${signature}`;
    },
    isGood: signatures.isGood,
  };
}
