/** The one way in which answers of the Bot API are read. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { inPlainErrors } from './errors.ts';

/** Asks once and parses the answer; never again by itself, as a flooded Telegram wants to be left alone. */
export async function ask<T>(
  send: () => Promise<unknown>,
  answer: v.GenericSchema<unknown, T>,
): Promise<T> {
  const parsed = v.safeParse(answer, await inPlainErrors(send));
  if (!parsed.success) {
    throw new AppError('telegram_unavailable');
  }
  return parsed.output;
}
