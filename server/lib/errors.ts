/** The one refusal a service throws, and the one place that turns failures into answers. */
import { type ErrorHandler } from 'hono';

import { errorCodes, type ErrorCode } from '#contract/endpoints/errors';

import { type AppEnv } from './app-env.ts';

type AppErrorOptions = { readonly detail?: string; readonly retryAfterS?: number };

/**
 * A refusal with a stable code. `detail` replaces the code's own sentence; `retryAfterS` (whole
 * seconds) becomes the Retry-After header.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, { detail, retryAfterS }: AppErrorOptions = {}) {
    super(code);
    this.name = 'AppError';
    this.code = code;
    this.detail = detail ?? errorCodes[code].detail;
    this.retryAfterS = retryAfterS;
  }
}

/** Answers `{ detail, code }`; whatever nobody foresaw becomes `unexpected` and is logged. */
export const answerError: ErrorHandler<AppEnv> = (error, c) => {
  const refusal = error instanceof AppError ? error : new AppError('unexpected');
  if (refusal !== error) {
    c.get('log').error({ err: error, requestId: c.get('requestId') }, 'unexpected failure');
  }
  c.set('refusal', refusal.code);
  if (refusal.retryAfterS !== undefined) {
    c.header('Retry-After', String(refusal.retryAfterS));
  }
  return c.json({ detail: refusal.detail, code: refusal.code }, errorCodes[refusal.code].status);
};
