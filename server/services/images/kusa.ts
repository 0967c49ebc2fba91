/** Kusa's styles: those of another server where one is set, else the built-in ones with pictures of our own. */
import { type WireStyle } from '#contract/endpoints/kusa';
import { type Dependencies } from '#server/app/dependencies';
import { connectKusa } from '#server/upstream/images/kusa';

import { builtInStyles } from './kusa-styles.ts';
import { type Paintings } from './paintings.ts';

/** Painting in another way must give pictures another address, as browsers keep them for a year. */
export const kusaPictureVersion = 'v1';

export type Kusa = {
  /** Throws `service_unavailable`. */
  readonly list: () => Promise<readonly WireStyle[]>;
  /** The WebP of a built-in style; undefined when there is no such style. */
  readonly picture: (id: string) => Promise<Buffer | undefined>;
};

export function createKusa(
  { env, clock, serviceTimeoutMs }: Pick<Dependencies, 'env' | 'clock' | 'serviceTimeoutMs'>,
  { paintings }: { readonly paintings: Paintings },
): Kusa {
  const timeout = serviceTimeoutMs === undefined ? {} : { timeoutMs: serviceTimeoutMs };
  const elsewhere = env.kusa && connectKusa(env.kusa, { clock, ...timeout });
  const folder = `${env.publicUrl ?? ''}/backend/media/kusa/${kusaPictureVersion}`;
  const builtIn = builtInStyles.map(({ id, name, originalName, width, height }) => ({
    id,
    name,
    og_name: originalName,
    image_url: `${folder}/${id}.webp`,
    width,
    height,
  }));

  return {
    list: async () => elsewhere?.list() ?? builtIn,

    picture: async (id) => {
      const style = builtInStyles.find((one) => one.id === id);
      if (style === undefined) {
        return undefined;
      }
      const { name, prompt, look, width, height } = style;
      return paintings.read(`${id}-${kusaPictureVersion}-style`, {
        prompt,
        seed: name,
        style: look,
        width,
        height,
        caption: false,
        format: 'webp',
      });
    },
  };
}
