/** The error by which services refuse a request. */
import { errorCodes, type ErrorCode } from '#contract/endpoints/errors';

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
