/** Pictures that image services return: in the reply itself, or at an address. */
import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';
import { detectPictureType } from '#server/lib/picture-type';
import { fetchAllowlisted } from '#server/upstream/allowlisted-fetch';
import { type FetchReply, fetchReply } from '#server/upstream/fetch-json';

import { toRefusal, unreadableReply } from './image-errors.ts';

type PictureRequest = {
  readonly url: string;
  /** The address of the service. */
  readonly root: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** Resolves the address of a file: on the service itself, or elsewhere over HTTPS. Throws `picture_broken`. */
export function resolvePictureUrl(address: string, root: string): string {
  const url = URL.canParse(address, root) ? new URL(address, root) : undefined;
  const isAllowed = url?.protocol === 'https:' || url?.origin === new URL(root).origin;
  if (url === undefined || !isAllowed) {
    throw unreadableReply();
  }
  return url.href;
}

/**
 * Fetches a file without the key of the service. Other servers than the service must have public
 * addresses, so that a service cannot make us read from the operator's private network. Throws a
 * refusal, or `NoReply`.
 */
export async function fetchPicture({
  url,
  root,
  timeoutMs,
  signal,
}: PictureRequest): Promise<Buffer> {
  const request = { timeoutMs, signal, maxBytes: pictureLimits.bytes };
  const target = new URL(url);
  const reply = await (target.origin === new URL(root).origin
    ? fetchReply({ ...request, service: 'pictures', url })
    : fetchAllowlisted({ ...request, url: target }).catch((error: unknown) => {
        throw error instanceof AppError ? unreadableReply() : error;
      }));
  if (reply.status === 401 || reply.status === 403) {
    // The address has expired.
    throw new AppError('picture_gone');
  }
  return readPicture(reply);
}

/** The picture in a reply. Throws a refusal, or `picture_broken` when the reply has no picture. */
export function readPicture({ status, bytes }: FetchReply): Buffer {
  if (status >= 400) {
    throw toRefusal(status);
  }
  if (status >= 300 || detectPictureType(bytes) === undefined) {
    throw new AppError('picture_broken');
  }
  return bytes;
}
