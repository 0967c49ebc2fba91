/** The error by which services refuse a request. */
import { errorTexts } from '#contract/endpoints/error-texts';
import { type ErrorCode } from '#contract/endpoints/errors';

import { type Say, sayEnglish, type Sentence } from './languages.ts';

type AppErrorOptions = {
  /** Said instead of the code's own sentence. A string is what another service said, in its language. */
  readonly detail?: Sentence | string;
  /** Whole seconds; becomes the Retry-After header. */
  readonly retryAfterS?: number;
};

/** A refusal with a stable code. `detail` is its sentence in English. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterS: number | undefined;
  readonly #sentence: Sentence | string;

  constructor(
    code: ErrorCode,
    { detail = (say) => say(errorTexts)[code], retryAfterS }: AppErrorOptions = {},
  ) {
    super(code);
    this.name = 'AppError';
    this.code = code;
    this.#sentence = detail;
    this.detail = this.sayIn(sayEnglish);
    this.retryAfterS = retryAfterS;
  }

  /** Its sentence in the language that `say` speaks. */
  sayIn(say: Say): string {
    return typeof this.#sentence === 'string' ? this.#sentence : this.#sentence(say);
  }
}

/** Thrown by work that has to stop before it is done, because the server stops: it is to be begun again. */
export class Unfinished extends Error {
  override readonly name = 'Unfinished';
}
