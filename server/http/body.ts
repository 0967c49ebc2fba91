/** Reads the JSON body of a request, with a limit on its size and on what it may call itself. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { type AppContext } from './app-env.ts';

/** Bytes of a request's body, where an endpoint does not need more. */
export const bodyLimit = 64 * 1024;

const jsonObject = v.record(v.string(), v.unknown());

/**
 * The fields of the body; none when there is no body. Only JSON is read: a form of another site can
 * be sent without asking us first, and JSON cannot.
 * Throws `unsupported_media_type`, `body_too_large`, `invalid_json` or `invalid_input`.
 */
export async function readJsonBody(
  c: AppContext,
  maxBytes = bodyLimit,
): Promise<Record<string, unknown>> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json') {
    throw new AppError('unsupported_media_type');
  }
  const text = await readText(c, maxBytes);
  if (text === '') {
    return {};
  }
  if (type === undefined) {
    throw new AppError('unsupported_media_type');
  }
  const parsed = v.safeParse(jsonObject, parseJson(text));
  if (!parsed.success || Array.isArray(parsed.output)) {
    throw new AppError('invalid_input');
  }
  return parsed.output;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_json');
  }
}

/** Trusts a declared length (the HTTP parser enforces it) and counts when there is none. */
async function readText(c: AppContext, maxBytes: number): Promise<string> {
  const declared = c.req.header('Content-Length');
  if (declared !== undefined) {
    if (Number(declared) > maxBytes) {
      throw new AppError('body_too_large');
    }
    return c.req.text();
  }

  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new AppError('body_too_large');
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
