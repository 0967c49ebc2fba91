/** Pictures to be saved as files, by their address: our own, and those of hosts that whoever runs the server trusts. */
import { randomUUID } from 'node:crypto';

import { pictureLimits } from '#contract/images/limits';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { detectPictureType } from '#server/lib/picture-type';
import { NoAnswer } from '#server/upstream/ask';
import { askListed } from '#server/upstream/ask-listed';
import { pictureIn } from '#server/upstream/images/remote-picture';

import { fileNameOf, type MediaFiles } from './media-files.ts';

const usualTimeoutMs = 15_000;
/** Longer ones are no links of ours, nor of any host. */
const longestUrl = 2000;

type Download = { readonly bytes: Buffer; readonly type: string; readonly name: string };

export type PictureDownloads = {
  /**
   * Throws `download_refused` for any address but ours and those listed, `link_expired`,
   * `picture_gone`, `picture_broken`, `picture_too_large` or `image_service_unavailable`. `host` is
   * the one that the server was asked under.
   */
  readonly read: (url: string, host: string) => Promise<Download>;
};

export function createPictureDownloads(
  { env, network, serviceTimeoutMs }: Pick<Dependencies, 'env' | 'network' | 'serviceTimeoutMs'>,
  { mediaFiles }: { readonly mediaFiles: MediaFiles },
): PictureDownloads {
  const timeoutMs = serviceTimeoutMs ?? usualTimeoutMs;
  const ownHost = env.publicUrl === undefined ? undefined : new URL(env.publicUrl).host;

  async function readListed(url: URL): Promise<Download> {
    try {
      const question = { url, timeoutMs, maxBytes: pictureLimits.bytes };
      const reply = await askListed(question, network);
      if (reply.status >= 400) {
        throw new AppError(reply.status >= 500 ? 'image_service_unavailable' : 'picture_gone');
      }
      const bytes = pictureIn(reply);
      const type = detectPictureType(bytes);
      if (type === undefined || !reply.headers.get('Content-Type')?.startsWith('image/')) {
        throw new AppError('picture_broken');
      }
      return { bytes, type, name: fileNameOf(randomUUID(), type) };
    } catch (error) {
      throw error instanceof NoAnswer ? refusalOf(error) : error;
    }
  }

  return {
    read: async (given, host) => {
      // Links of ours may be without an origin; nothing else may.
      const base = `http://${ownHost ?? host}`;
      const url = given.length <= longestUrl ? URL.parse(given, base) : null;
      if (url === null || url.username !== '' || url.password !== '') {
        throw new AppError('download_refused');
      }
      // No question goes out for these: a host that somebody has made up gets them nothing.
      if (url.host === ownHost || url.host === host) {
        return readOwn(url, mediaFiles);
      }
      // A `blob:` has the origin of what it names.
      const isOverHttp = url.protocol === 'https:' || url.protocol === 'http:';
      if (!isOverHttp || !env.downloadOrigins.includes(url.origin)) {
        throw new AppError('download_refused');
      }
      return readListed(url);
    },
  };
}

function refusalOf({ reason }: NoAnswer): AppError {
  return new AppError(reason === 'too-large' ? 'picture_too_large' : 'image_service_unavailable');
}

function readOwn({ pathname, searchParams }: URL, mediaFiles: MediaFiles): Promise<Download> {
  const [, id, variant] = /^\/backend\/media\/([\w-]{1,100})\/([a-z]{1,20})$/.exec(pathname) ?? [];
  if (id === undefined || variant === undefined) {
    throw new AppError('download_refused');
  }
  const expires = searchParams.get('expires') ?? undefined;
  const signature = searchParams.get('signature') ?? undefined;
  return mediaFiles.read({ id, variant, expires, signature });
}
