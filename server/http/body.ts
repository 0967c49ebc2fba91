/**
 * Reads the bodies of requests, JSON and forms, with limits on their size. A multipart/form-data body is split into its
 * parts while it arrives, so that no file is in memory as a whole.
 */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';
import { type Draft } from '#server/lib/object-store';

import { type AppContext } from './app-env.ts';
import { requestTexts } from './texts.ts';

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
  const type = readType(c);
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

const reportTypes: ReadonlySet<string | undefined> = new Set([
  'application/reports+json',
  'application/csp-report',
]);

/** What a browser reports, whatever its shape. Throws like `readJsonBody`. */
export async function readReport(c: AppContext, maxBytes: number): Promise<unknown> {
  if (!reportTypes.has(readType(c))) {
    throw new AppError('unsupported_media_type');
  }
  return parseJson(await readText(c, maxBytes));
}

function readType(c: AppContext): string | undefined {
  return c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
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
    return new TextDecoder().decode(await readBytes(c, maxBytes));
  }
  if (Number(declared) > maxBytes) {
    throw new AppError('body_too_large');
  }
  return c.req.text().catch(() => {
    throw new CallerGone();
  });
}

async function readBytes(c: AppContext, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitBody(c, maxBytes, 'body_too_large')) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as it arrives. Throws `code` when it is too large, and `CallerGone` when it breaks off. */
async function* limitBody(
  c: AppContext,
  maxBytes: number,
  code: 'body_too_large' | 'picture_too_large',
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of readChunks(c)) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new AppError(code);
    }
    yield chunk;
  }
}

async function* readChunks(c: AppContext): AsyncGenerator<Uint8Array> {
  try {
    // Not cancelled after a refusal: Node.js reads what is still on its way, so that the answer arrives.
    yield* c.req.raw.body?.values({ preventCancel: true }) ?? [];
  } catch {
    throw new CallerGone();
  }
}

/** The caller has gone, or was too slow. Its connection fails like one of the database, and must not be taken for that. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** Bytes that the fields beside a file may take together, with their names. */
const fieldsAllowance = 128 * 1024;
const maxFields = 40;

/** Where the files of a form go. */
export type FormFiles = {
  /** Called for each piece of the body that has arrived, also for fields. May refuse. */
  readonly countBytes: (bytes: number) => void;
  readonly open: () => Promise<Draft>;
};

/** A file of a form. Its bytes are in the store: as a Blob, it is empty. */
export class ReceivedFile extends Blob {
  readonly draft: Draft;

  constructor(draft: Draft) {
    super();
    this.draft = draft;
  }
}

/** Throws `picture_too_large` when the declared length is that of no form with such a file. */
export function throwIfTooLong(c: AppContext, maxFileBytes: number): void {
  if (Number(c.req.header('Content-Length') ?? 0) > maxFileBytes + fieldsAllowance) {
    throw new AppError('picture_too_large');
  }
}

/**
 * The fields and files of a multipart/form-data body, read while it arrives. A page of any site can send
 * one without a preflight request; that is harmless, as it cannot add the session token.
 * Throws `unsupported_media_type`, `picture_too_large`, `body_too_large` or `invalid_input`.
 */
export async function readForm(
  c: AppContext,
  maxFileBytes: number,
  files: FormFiles,
): Promise<Record<string, string | ReceivedFile>> {
  const boundary = readBoundary(c.req.header('Content-Type') ?? '');
  if (boundary === undefined) {
    throw new AppError('unsupported_media_type', {
      detail: (say) => say(requestTexts).notForm,
    });
  }
  const form = createFormReader(maxFileBytes, files);
  const body = limitBody(c, maxFileBytes + fieldsAllowance, 'picture_too_large');
  try {
    await splitParts(countBytes(body, files), boundary, form.open);
  } catch (error) {
    throw error instanceof MalformedForm
      ? new AppError('invalid_input', { detail: (say) => say(requestTexts).formUnreadable })
      : error;
  }
  return form.read();
}

async function* countBytes(body: AsyncIterable<Uint8Array>, files: FormFiles) {
  for await (const chunk of body) {
    files.countBytes(chunk.byteLength);
    yield chunk;
  }
}

/** The fields of a form, which stay in memory, and its files, which go where `files` says. */
function createFormReader(maxFileBytes: number, files: FormFiles) {
  const values = new Map<string, Buffer[] | ReceivedFile>();
  let fieldBytes = 0;
  const countFieldBytes = (bytes: number) => {
    fieldBytes += bytes;
    // The bytes allowed for the file must not be used for text.
    if (fieldBytes > fieldsAllowance) {
      throw new AppError('body_too_large');
    }
  };

  async function open({ name, isFile }: PartHead): Promise<PartSink> {
    if (values.has(name) || values.size >= maxFields) {
      throw new AppError('invalid_input');
    }
    countFieldBytes(Buffer.byteLength(name));
    if (isFile) {
      const draft = await files.open();
      values.set(name, new ReceivedFile(draft));
      return async (bytes) => {
        if (draft.size() + bytes.length > maxFileBytes) {
          throw new AppError('picture_too_large');
        }
        await draft.write(bytes);
      };
    }
    const pieces: Buffer[] = [];
    values.set(name, pieces);
    return async (bytes) => {
      countFieldBytes(bytes.length);
      // A copy, as the piece is a part of a larger buffer.
      pieces.push(Buffer.from(bytes));
    };
  }

  return {
    open,
    read: () =>
      Object.fromEntries(
        [...values].map(([name, value]) => [
          name,
          value instanceof ReceivedFile ? value : Buffer.concat(value).toString('utf8'),
        ]),
      ),
  };
}

/** Receives the bytes of one part in order; the next bytes come when it has resolved. */
type PartSink = (bytes: Uint8Array) => Promise<void>;

type PartHead = {
  readonly name: string;
  /** Whether the part is a file. */
  readonly isFile: boolean;
};

/** The body is not multipart/form-data as its content type says. */
class MalformedForm extends Error {}

const maxHeadBytes = 8 * 1024;
const lineEnd = '\r\n';
const headEnd = Buffer.from(lineEnd + lineEnd);
/** What follows a delimiter: two bytes that say whether another part comes. */
const suffixBytes = 2;

/** Undefined when the content type is not that of a form. */
function readBoundary(contentType: string): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))/i.exec(
      contentType,
    ) ?? [];
  return quoted ?? plain;
}

type OpenPart = (head: PartHead) => Promise<PartSink>;

/** Calls `open` for each part and gives its bytes to the result. Throws `MalformedForm`. */
async function splitParts(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  open: OpenPart,
): Promise<void> {
  const splitter = createSplitter(Buffer.from(`${lineEnd}--${boundary}`), open);
  for await (const chunk of body) {
    await splitter.push(chunk);
  }
  if (!splitter.isAtEnd()) {
    throw new MalformedForm('The form ends too soon');
  }
}

const skip: PartSink = () => Promise.resolve();

function createSplitter(delimiter: Buffer, open: OpenPart) {
  let step: 'content' | 'suffix' | 'head' | 'end' = 'content';
  // What stands before the first part does not count.
  let sink = skip;
  // The first delimiter may be at the very beginning, without a line before it.
  let rest = Buffer.from(lineEnd);

  /** Each step handles what is there. It returns false when it needs more bytes. */
  const steps = {
    async content() {
      const at = rest.indexOf(delimiter);
      // The end of what has arrived may be the beginning of a delimiter.
      const length = at === -1 ? Math.max(0, rest.length - delimiter.length + 1) : at;
      if (length > 0) {
        await sink(rest.subarray(0, length));
      }
      if (at === -1) {
        rest = rest.subarray(length);
        return false;
      }
      rest = rest.subarray(at + delimiter.length);
      step = 'suffix';
      return true;
    },

    async suffix() {
      if (rest.length < suffixBytes) {
        return false;
      }
      const suffix = rest.toString('latin1', 0, suffixBytes);
      if (suffix !== '--' && suffix !== lineEnd) {
        throw new MalformedForm('A delimiter does not end as it must');
      }
      // The line end stays, so that the end of a head without lines is found, too.
      step = suffix === '--' ? 'end' : 'head';
      return true;
    },

    async head() {
      const at = rest.indexOf(headEnd);
      if (at > maxHeadBytes || (at === -1 && rest.length > maxHeadBytes)) {
        throw new MalformedForm('The head of a part is too long');
      }
      if (at === -1) {
        return false;
      }
      sink = await open(readHead(rest.toString('utf8', 0, at)));
      rest = rest.subarray(at + headEnd.length);
      step = 'content';
      return true;
    },

    /** What follows the last delimiter does not count. */
    async end() {
      rest = Buffer.alloc(0);
      return false;
    },
  };

  return {
    push: async (chunk: Uint8Array) => {
      rest = Buffer.concat([rest, chunk]);
      let hasMore = true;
      while (hasMore) {
        hasMore = await steps[step]();
      }
    },
    isAtEnd: () => step === 'end',
  };
}

function readHead(lines: string): PartHead {
  const [, disposition = ''] = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(lines) ?? [];
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) {
    throw new MalformedForm('A part has no name');
  }
  return { name: unescapeName(name), isFile: /;\s*filename\*?=/i.test(disposition) };
}

/** Browsers escape these three characters of a name, and no others. */
function unescapeName(name: string): string {
  return name.replaceAll('%22', '"').replaceAll(/%0d/gi, '\r').replaceAll(/%0a/gi, '\n');
}
