/** Splits a multipart/form-data body into its parts while it arrives, so that no file is in memory as a whole. */

/** Receives the bytes of one part in order; the next bytes come when it has resolved. */
export type PartSink = (bytes: Uint8Array) => Promise<void>;

export type PartHead = {
  readonly name: string;
  /** Whether the part is a file. */
  readonly isFile: boolean;
};

/** The body is not multipart/form-data as its content type says. */
export class MalformedForm extends Error {}

const maxHeadBytes = 8 * 1024;
const lineEnd = '\r\n';
const headEnd = Buffer.from(lineEnd + lineEnd);
/** What follows a delimiter: two bytes that say whether another part comes. */
const suffixBytes = 2;

/** Undefined when the content type is not that of a form. */
export function readBoundary(contentType: string): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))/i.exec(
      contentType,
    ) ?? [];
  return quoted ?? plain;
}

type OpenPart = (head: PartHead) => Promise<PartSink>;

/** Calls `open` for each part and gives its bytes to the result. Throws `MalformedForm`. */
export async function splitParts(
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
