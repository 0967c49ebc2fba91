/** Pictures as services hand them out: behind an address of their own, or in the answer itself. */
import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';
import { detectPictureType } from '#server/lib/picture-type';
import { ask, type Reply } from '#server/upstream/ask';
import { askListed } from '#server/upstream/ask-listed';

import { notUnderstood, refusalOf } from './image-errors.ts';

type PictureQuestion = {
  readonly url: string;
  /** Where the service itself is. */
  readonly root: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/**
 * Where a service says that its file is: on itself, or on another server over an encrypted
 * connection. Throws `picture_broken` for anything else.
 */
export function targetOf(address: string, root: string): string {
  const url = URL.canParse(address, root) ? new URL(address, root) : undefined;
  const isFine = url?.protocol === 'https:' || url?.origin === new URL(root).origin;
  if (url === undefined || !isFine) {
    throw notUnderstood();
  }
  return url.href;
}

/**
 * The file behind such an address. No key is sent: it needs none. Another server than the service itself is
 * only asked when it is one of the open internet: whoever answers for the service must not have us look around
 * at home. Throws a refusal, or `NoAnswer`.
 */
export async function readPictureAt({
  url,
  root,
  timeoutMs,
  signal,
}: PictureQuestion): Promise<Buffer> {
  const question = { timeoutMs, signal, maxBytes: pictureLimits.bytes };
  const target = new URL(url);
  const reply = await (target.origin === new URL(root).origin
    ? ask({ ...question, url })
    : askListed({ ...question, url: target }).catch(throwUnderstood));
  if (reply.status === 401 || reply.status === 403) {
    // Such addresses die after a while.
    throw new AppError('picture_gone');
  }
  return pictureIn(reply);
}

function throwUnderstood(error: unknown): never {
  throw error instanceof AppError ? notUnderstood() : error;
}

/** Throws a refusal: `picture_broken` for an answer that is no picture. */
export function pictureIn({ status, bytes }: Reply): Buffer {
  if (status >= 400) {
    throw refusalOf(status);
  }
  if (status >= 300 || detectPictureType(bytes) === undefined) {
    throw new AppError('picture_broken');
  }
  return bytes;
}
