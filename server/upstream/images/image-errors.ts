/** Why a service made no picture, in the product's words. What it says itself may repeat prompt or key, and stays here. */
import { type ErrorCode } from '#contract/endpoints/errors';
import { AppError } from '#server/lib/errors';
import { NoAnswer } from '#server/upstream/ask';

const byStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'image_service_key',
  402: 'out_of_credit',
  403: 'image_service_key',
  404: 'picture_gone',
  408: 'image_service_unavailable',
  410: 'picture_gone',
  429: 'image_service_busy',
};

/** The refusal of an HTTP status; the body only tells which field was wrong. */
export function refusalOf(status: number, body = ''): AppError {
  const isAboutModel = /\bmodel(?:Id)?\b/i.test(body);
  if ((status === 400 || status === 404 || status === 422) && isAboutModel) {
    return new AppError('invalid_model');
  }
  const fallback = status >= 500 ? 'image_service_unavailable' : 'generation_refused';
  return new AppError(byStatus[status] ?? fallback);
}

/** An answer of a shape that it never had before. */
export function notUnderstood(): AppError {
  return new AppError('picture_broken', {
    detail: 'The image service answered something that nobody understands. Please try again.',
  });
}

/** A refusal passes; a service that did not answer becomes one. */
export function asImageError(error: unknown): unknown {
  if (!(error instanceof NoAnswer)) {
    return error;
  }
  if (error.reason === 'too-large') {
    return new AppError('picture_broken');
  }
  return new AppError(error.reason === 'timeout' ? 'generation_slow' : 'image_service_unavailable');
}

/** What may be better at the next try. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswer) {
    return error.reason === 'timeout' || error.reason === 'unreachable';
  }
  return (
    error instanceof AppError &&
    ['image_service_unavailable', 'image_service_busy', 'picture_broken'].includes(error.code)
  );
}
