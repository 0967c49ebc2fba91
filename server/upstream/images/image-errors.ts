/** Translates failures of image services. Their own messages may repeat prompts or keys, so they are dropped. */
import { type ErrorCode } from '#contract/endpoints/errors';
import { AppError } from '#server/lib/errors';
import { NoReply } from '#server/upstream/fetch-json';

import { imageServiceTexts } from './texts.ts';

const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'image_service_key',
  402: 'out_of_credit',
  403: 'image_service_key',
  404: 'picture_gone',
  408: 'image_service_unavailable',
  410: 'picture_gone',
  429: 'image_service_busy',
};

/** The refusal for an HTTP status. The body only tells whether the model was wrong. */
export function toRefusal(status: number, body = ''): AppError {
  const mentionsModel = /\bmodel(?:Id)?\b/i.test(body);
  if ((status === 400 || status === 404 || status === 422) && mentionsModel) {
    return new AppError('invalid_model');
  }
  const fallback = status >= 500 ? 'image_service_unavailable' : 'generation_refused';
  return new AppError(codesByStatus[status] ?? fallback);
}

/** For a reply with an unknown shape. */
export function unreadableReply(): AppError {
  return new AppError('picture_broken', {
    detail: (say) => say(imageServiceTexts).unreadable,
  });
}

/** Turns `NoReply` into a refusal, and returns other errors unchanged. */
export function toImageError(error: unknown): unknown {
  if (!(error instanceof NoReply)) {
    return error;
  }
  if (error.reason === 'too-large') {
    return new AppError('picture_broken');
  }
  return new AppError(error.reason === 'timeout' ? 'generation_slow' : 'image_service_unavailable');
}

export function throwImageError(error: unknown): never {
  throw toImageError(error);
}

/** Whether the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof NoReply) {
    return error.reason === 'timeout' || error.reason === 'unreachable';
  }
  return (
    error instanceof AppError &&
    ['image_service_unavailable', 'image_service_busy', 'picture_broken'].includes(error.code)
  );
}
