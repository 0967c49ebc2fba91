/** Reads the bodies of requests, JSON and forms, with limits on their size. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { type AppContext } from './app-env.ts';

/** The default limit of a JSON body in bytes. */
export const bodyLimit = 64 * 1024;

const jsonObject = v.record(v.string(), v.unknown());

/**
 * The fields of a JSON body; none when there is no body. Other content types are refused: browsers let
 * pages of other sites send forms without a preflight request, but not JSON.
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

/** Trusts a declared length, which the HTTP parser enforces, as `c.req.text()` is the fastest way. */
async function readText(c: AppContext, maxBytes: number): Promise<string> {
  const declared = c.req.header('Content-Length');
  if (declared === undefined) {
    return new TextDecoder().decode(await readBytes(c, maxBytes, 'body_too_large'));
  }
  if (Number(declared) > maxBytes) {
    throw new AppError('body_too_large');
  }
  return c.req.text();
}

/** The whole body. Throws `code` when it is too large by its declared length, or while it arrives. */
async function readBytes(
  c: AppContext,
  maxBytes: number,
  code: 'body_too_large' | 'picture_too_large',
): Promise<Buffer<ArrayBuffer>> {
  if (Number(c.req.header('Content-Length') ?? 0) > maxBytes) {
    throw new AppError(code);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new AppError(code);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Bytes that the fields beside a file may take together, with their names. */
const fieldsAllowance = 128 * 1024;
const maxFields = 40;

/**
 * The fields and files of a multipart/form-data body. A page of any site can send one without a
 * preflight request; that is harmless, as it cannot add the session token.
 * Throws `unsupported_media_type`, `picture_too_large`, `body_too_large` or `invalid_input`.
 */
export async function readForm(
  c: AppContext,
  maxFileBytes: number,
): Promise<Record<string, string | File>> {
  const type = c.req.header('Content-Type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new AppError('unsupported_media_type', {
      detail: 'Please send a form (Content-Type: multipart/form-data).',
    });
  }
  const form = await parseForm(
    await readBytes(c, maxFileBytes + fieldsAllowance, 'picture_too_large'),
    type,
  );
  const names = [...form.keys()];
  if (names.length > maxFields || new Set(names).size < names.length) {
    throw new AppError('invalid_input');
  }
  // The bytes allowed for the file must not be used for text.
  if (getFieldBytes(form) > fieldsAllowance) {
    throw new AppError('body_too_large');
  }
  return Object.fromEntries(form);
}

function getFieldBytes(form: FormData): number {
  return [...form].reduce(
    (sum, [name, value]) =>
      sum +
      Buffer.byteLength(name) +
      Buffer.byteLength(typeof value === 'string' ? value : value.name),
    0,
  );
}

async function parseForm(bytes: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw new AppError('invalid_input', { detail: 'The form cannot be read.' });
  }
}
