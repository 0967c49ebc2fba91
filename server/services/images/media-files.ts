/** The files that signed links lead to: saved pictures, and those that were made and may still be saved. */
import { type ByteRange } from '#server/lib/byte-range';
import { AppError } from '#server/lib/errors';

import { type PictureStore } from './job-pictures.ts';
import { type MediaLinks } from './media-links.ts';
import { type Pictures, variants } from './pictures.ts';

const fileVariants = [...variants, 'made'] as const;

/** The parts of a link after `/media`. */
type Link = {
  readonly id: string;
  readonly variant: string;
  readonly expires: string | undefined;
  readonly signature: string | undefined;
};

type MediaFile = {
  readonly bytes: Buffer;
  /** Of the whole file, in bytes. */
  readonly size: number;
  readonly type: string;
  /** To save it by: letters, digits, `-`, `_` and a dot. */
  readonly name: string;
};

export type MediaFiles = {
  /** The file or a part of it. Throws `link_expired` or `not_found`. */
  readonly read: (
    link: Link,
    range?: (size: number) => ByteRange | undefined,
  ) => Promise<MediaFile>;
};

export function createMediaFiles({
  pictures,
  jobPictures,
  links,
}: {
  readonly pictures: Pictures;
  readonly jobPictures: PictureStore;
  readonly links: MediaLinks;
}): MediaFiles {
  return {
    read: async ({ id, variant: wanted, expires, signature }, range = () => undefined) => {
      const variant = fileVariants.find((one) => one === wanted);
      if (variant === undefined) {
        throw new AppError('not_found');
      }
      if (!links.isGood(`/media/${id}/${variant}`, { expires, signature })) {
        throw new AppError('link_expired');
      }
      const found =
        variant === 'made'
          ? await jobPictures.readPart(id, range)
          : await pictures.read(id, variant, range);
      if (!found) {
        throw new AppError('not_found');
      }
      return { ...found, name: fileNameOf(id, found.type) };
    },
  };
}

/** What a picture is saved as; its own name says nothing. */
export function fileNameOf(id: string, type: string): string {
  return `nori-${id}.${type.replace('image/', '').replace('jpeg', 'jpg')}`;
}
