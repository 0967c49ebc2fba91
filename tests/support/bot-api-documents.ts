/** The files that a bot sends through the Bot API stand-in, in forms as Telegram wants them. */
import { asRecord, type Body, Refusal, refuse } from './bot-api-world.ts';

/** https://core.telegram.org/bots/api#sending-files */
const maxFileBytes = 50 * 1024 * 1024;
const maxCaptionLength = 1024;

type SentDocument = {
  readonly to: number;
  readonly name: string;
  readonly caption: string;
  readonly bytes: Buffer;
};

/** A file of a form. */
export class FormFile {
  readonly name: string;
  readonly bytes: Buffer;

  constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.bytes = bytes;
  }
}

export function createDocuments({
  throwUnlessReachable,
}: {
  /** Throws a refusal when the bot may not write to the user. */
  readonly throwUnlessReachable: (telegramId: number) => void;
}) {
  const documents: SentDocument[] = [];

  /** A file has to come in a form; Telegram's own server takes at most 50 MB. */
  function sendDocument(body: Body) {
    const to = Number(body['chat_id']);
    const { document: file, caption = '' } = body;
    if (!(file instanceof FormFile)) {
      throw refuse('there is no document in the request');
    }
    if (file.bytes.length > maxFileBytes) {
      throw new Refusal(413, 'Request Entity Too Large');
    }
    if (file.bytes.length === 0) {
      throw refuse('file must be non-empty');
    }
    throwUnlessReachable(to);
    if (typeof caption !== 'string' || caption.length > maxCaptionLength) {
      throw refuse('message caption is too long');
    }
    documents.push({ to, name: file.name, caption, bytes: file.bytes });
    return {
      message_id: 1_000_000 + documents.length,
      chat: { id: to, type: 'private' },
      caption,
      document: { file_name: file.name, file_size: file.bytes.length },
    };
  }

  return { documents, methods: { sendDocument } };
}

const lineEnd = '\r\n';

/** The fields of a form. One that is `attach://<name>` stands for the file of that name. */
export function readForm(bytes: Buffer, contentType: string): Body {
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(contentType) ?? [];
  const delimiter = Buffer.from(`--${boundary}`);
  const fields = new Map<string, string | FormFile>();
  let at = bytes.indexOf(delimiter);
  let next = bytes.indexOf(delimiter, at + 1);
  while (at >= 0 && next >= 0) {
    const part = bytes.subarray(at + delimiter.length + lineEnd.length, next - lineEnd.length);
    const headEnd = part.indexOf(lineEnd + lineEnd);
    const head = part.subarray(0, headEnd).toString('utf8');
    const content = part.subarray(headEnd + 2 * lineEnd.length);
    const [, name = ''] = /\bname="([^"]*)"/i.exec(head) ?? [];
    const [, fileName] = /\bfilename="?([^"\r\n;]*)/i.exec(head) ?? [];
    fields.set(
      name,
      fileName === undefined ? content.toString('utf8') : new FormFile(fileName, content),
    );
    at = next;
    next = bytes.indexOf(delimiter, at + 1);
  }
  return Object.fromEntries(
    [...fields].map(([name, value]) => {
      const attached =
        typeof value === 'string' ? fields.get(value.replace(/^attach:\/\//, '')) : undefined;
      return [name, attached ?? readObject(name, value, fields)];
    }),
  );
}

/** What is no text is JSON in a form. */
const objectFields: ReadonlySet<string> = new Set([
  'reply_markup',
  'reply_parameters',
  'caption_entities',
  'ephemeral_message_parameters',
  'media',
]);

/** The file of a medium stands in a field of its own. */
function readObject(
  name: string,
  value: string | FormFile,
  fields: ReadonlyMap<string, string | FormFile>,
): unknown {
  if (typeof value !== 'string' || !objectFields.has(name)) {
    return value;
  }
  const read: unknown = JSON.parse(value);
  const attached =
    name === 'media'
      ? fields.get(String(asRecord(read)['media']).replace(/^attach:\/\//, ''))
      : undefined;
  return attached === undefined ? read : { ...asRecord(read), media: attached };
}
