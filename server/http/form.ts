import { AppError } from '#server/lib/errors';

/** Reads multipart/form-data bodies, with a limit on their size that holds while they arrive. */
import { type AppContext } from './app-env.ts';

/** What the fields around a file may take together, names and all, in bytes. */
const fieldsAllowance = 128 * 1024;
const mostFields = 40;

/**
 * The fields and files of the body. A form can be sent by a page of any site without asking us first;
 * that is harmless here, as such a page cannot add the session token.
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
  const bytes = await readBytes(c, maxFileBytes + fieldsAllowance);
  const form = await parse(bytes, type);
  const names = [...form.keys()];
  if (names.length > mostFields || new Set(names).size < names.length) {
    throw new AppError('invalid_input');
  }
  // The room of the file is for the file: a small picture must not bring a book along.
  if (sizeOfFields(form) > fieldsAllowance) {
    throw new AppError('body_too_large');
  }
  return Object.fromEntries(form);
}

function sizeOfFields(form: FormData): number {
  return [...form].reduce(
    (sum, [name, value]) =>
      sum +
      Buffer.byteLength(name) +
      Buffer.byteLength(typeof value === 'string' ? value : value.name),
    0,
  );
}

async function parse(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw new AppError('invalid_input', { detail: 'The form cannot be read.' });
  }
}

/** Refuses as soon as it is known that the body is too large: by its declared length, or while counting. */
async function readBytes(c: AppContext, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(c.req.header('Content-Length') ?? 0) > maxBytes) {
    throw new AppError('picture_too_large');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new AppError('picture_too_large');
    }
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
