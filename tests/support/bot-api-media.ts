import { type Content, readMarkup, type SentMedia, throwUnlessWithin } from './bot-api-contents.ts';
/**
 * Media that a bot sends through the Bot API stand-in, by a file ID, by an address or as a file, and the files that it knows. Its checks
 * are those of github.com/tdlib/telegram-bot-api and github.com/tdlib/td, and worded as Telegram's.
 */
import { FormFile } from './bot-api-documents.ts';
import { asRecord, type Body, Refusal, refuse } from './bot-api-world.ts';

type Kind =
  | 'photo'
  | 'video'
  | 'animation'
  | 'audio'
  | 'voice'
  | 'document'
  | 'sticker'
  | 'video_note';

/** How Telegram's server calls them, and whether a text stands below them. */
const kinds: Readonly<Record<Kind, { readonly type: string; readonly hasCaption: boolean }>> = {
  photo: { type: 'Photo', hasCaption: true },
  video: { type: 'Video', hasCaption: true },
  animation: { type: 'Animation', hasCaption: true },
  audio: { type: 'Audio', hasCaption: true },
  voice: { type: 'VoiceNote', hasCaption: true },
  document: { type: 'Document', hasCaption: true },
  sticker: { type: 'Sticker', hasCaption: false },
  video_note: { type: 'VideoNote', hasCaption: false },
};

const maxCaptionLength = 1024;
const maxPhotoBytes = 10 * 1024 * 1024;
const maxFileBytes = 50 * 1024 * 1024;
/** Of files that Telegram gets by their address. */
const maxRemotePhotoBytes = 5 * 1024 * 1024;
const maxRemoteBytes = 20 * 1024 * 1024;
const maxAlbum = 10;

type Known = {
  /** Sends a message with this content where the call says. */
  readonly deliver: (body: Body, content: Content) => { readonly message_id: number };
  /** A message of the bot that it may edit; throws a refusal for others. */
  readonly findEditable: (body: Body) => { readonly to: number };
  readonly replaceContent: (body: Body, content: Content) => unknown;
  /** Notes a document that came as a file. */
  readonly noteDocument: (body: Body) => unknown;
};

export function createMedia({ deliver, findEditable, replaceContent, noteDocument }: Known) {
  const known = new Map<string, Kind>();
  const remote = new Map<string, { readonly kind: Kind; readonly size: number }>();
  /** Addresses from which Telegram gets nothing. */
  const broken = new Map<string, string>();
  let nextFile = 1;

  function add(kind: Kind): string {
    const fileId = `AgACAgIAAxk_${kind}_${nextFile}`;
    nextFile += 1;
    known.set(fileId, kind);
    return fileId;
  }

  /** The ID of the sent file. */
  function readFile(kind: Kind, body: Body): string {
    const file = body[kind];
    if (file instanceof FormFile) {
      throwUnlessUploadable(kind, file);
      return add(kind);
    }
    if (typeof file !== 'string' || file === '') {
      throw refuse(`there is no ${kind.replace('_', ' ')} in the request`);
    }
    if (/^https?:\/\//.test(file)) {
      return fetchFile(kind, file);
    }
    const found = known.get(file);
    if (found === undefined) {
      throw refuse(
        file.startsWith('AgACAgIAAxk_')
          ? 'wrong file identifier/HTTP URL specified'
          : "wrong remote file identifier specified: can't unserialize it. Wrong last symbol",
      );
    }
    // Telegram sends an animation as a document, too.
    if (found !== kind && !(found === 'animation' && kind === 'document')) {
      throw refuse(`can't use file of type ${kinds[found].type} as ${kinds[kind].type}`);
    }
    return file;
  }

  /** Telegram's server gets the file itself. */
  function fetchFile(kind: Kind, url: string): string {
    const failure = broken.get(url);
    if (failure !== undefined) {
      throw refuse(failure);
    }
    if (!URL.canParse(url) || !new URL(url).hostname.includes('.')) {
      throw refuse('wrong HTTP URL specified');
    }
    throwUnlessFound(kind, url);
    return add(kind);
  }

  /** Telegram takes files by their address up to a size, and looks at what they are. */
  function throwUnlessFound(kind: Kind, url: string): void {
    const { hostname, port } = new URL(url);
    const { kind: type = kind, size = 0 } = remote.get(url) ?? {};
    const max = kind === 'photo' ? maxRemotePhotoBytes : maxRemoteBytes;
    // A name that stands for this machine leads nowhere, unless the test says what Telegram finds there.
    const isNowhere = hostname.endsWith('.example') && port !== '' && !remote.has(url);
    if (isNowhere || size > max) {
      throw refuse('failed to get HTTP URL content');
    }
    if (type !== kind) {
      throw refuse('wrong type of the web page content');
    }
  }

  /** Each of the files is a message of its own. */
  function sendMediaGroup({ media, ...body }: Body) {
    const items: unknown = typeof media === 'string' ? JSON.parse(media) : media;
    if (!Array.isArray(items) || items.length === 0) {
      throw refuse('there are no messages to send');
    }
    if (items.length > maxAlbum) {
      throw refuse('too many messages to send as an album');
    }
    const read = items.map((item: unknown) => readItem(asRecord(item), body));
    const apart = read.find(({ kind }) => kind === 'audio' || kind === 'document');
    if (apart !== undefined && read.some(({ kind }) => kind !== apart.kind)) {
      throw refuse(`Message${kinds[apart.kind].type} can't be mixed with other media types`);
    }
    const sizes = read.map(({ source }) => (source instanceof FormFile ? source.bytes.length : 0));
    if (sizes.reduce((sum, size) => sum + size, 0) > maxFileBytes) {
      throw new Refusal(413, 'Request Entity Too Large');
    }
    // All of them, before the first is sent.
    read.forEach(({ kind, content }) => readFile(kind, content));
    return read.map(({ kind, content }) => send(kind, content));
  }

  function send(kind: Kind, body: Body) {
    const fileId = readFile(kind, body);
    const caption = kinds[kind].hasCaption ? readCaption(body) : { text: '', entities: undefined };
    const markup = readMarkup(body, Number(body['chat_id']));
    const media = toMedia({ kind, fileId, file: body[kind], body });
    const sent = deliver(body, { ...caption, markup, media });
    if (kind === 'document' && body[kind] instanceof FormFile) {
      noteDocument(body);
    }
    const { text: _text, entities: _entities, ...message } = asRecord(sent);
    return {
      ...message,
      ...(caption.text === '' ? {} : { caption: caption.text }),
      ...toMediaField(kind, fileId),
    };
  }

  /** Also puts a medium in the place of a text. */
  function editMessageMedia(body: Body) {
    const { to } = findEditable(body);
    const media = asRecord(body['media']);
    const kind = editable.find((one) => one === media['type']);
    if (kind === undefined) {
      throw refuse('type of the media is invalid');
    }
    const fileId = readFile(kind, { ...media, [kind]: media['media'] });
    const { text, entities } = readCaption(media);
    const edited = replaceContent(body, {
      text,
      entities,
      markup: readMarkup(body, to),
      media: toMedia({ kind, fileId, file: media['media'], body: media }),
    });
    return { ...asRecord(edited), ...toMediaField(kind, fileId) };
  }

  return {
    /** A file that someone has sent, and the bot has seen. */
    addFile: add,
    hasFile: (kind: string, fileId: string): boolean => known.get(fileId) === kind,
    /** A file that Telegram finds at an address. */
    addAddress: (address: string, kind: Kind, size = 1000): void =>
      void remote.set(address, { kind, size }),
    /** Telegram does not have it any more, or it is one of another bot. */
    forget: (fileId: string): void => void known.delete(fileId),
    /** Telegram gets nothing from this address, or not what is sent. */
    breakUrl: (url: string, failure = 'failed to get HTTP URL content'): void =>
      void broken.set(url, failure),
    methods: {
      sendPhoto: (body: Body) => send('photo', body),
      sendVideo: (body: Body) => send('video', body),
      sendAnimation: (body: Body) => send('animation', body),
      sendAudio: (body: Body) => send('audio', body),
      sendVoice: (body: Body) => send('voice', body),
      sendDocument: (body: Body) => send('document', body),
      sendSticker: (body: Body) => send('sticker', body),
      sendVideoNote: (body: Body) => send('video_note', body),
      sendMediaGroup,
      editMessageMedia,
      editEphemeralMessageMedia: (body: Body): true => {
        editMessageMedia(body);
        return true;
      },
    },
  };
}

const editable = ['photo', 'document', 'video', 'animation', 'audio'] as const satisfies Kind[];

function toMedia({
  kind,
  fileId,
  file,
  body,
}: {
  readonly kind: Kind;
  readonly fileId: string;
  readonly file: unknown;
  readonly body: Body;
}): SentMedia {
  return {
    kind,
    fileId,
    ...(file instanceof FormFile ? { file } : {}),
    hasSpoiler: body['has_spoiler'] === true || body['has_spoiler'] === 'true',
  };
}

/** A file of an album: by an address, or one of the form, which its name stands for. */
function readItem({ type, media, caption }: Body, body: Body) {
  if (type !== 'photo' && type !== 'video' && type !== 'audio' && type !== 'document') {
    throw refuse(`type "${String(type)}" is unsupported`);
  }
  const kind: Kind = type;
  const name = typeof media === 'string' ? media.replace(/^attach:\/\//, '') : '';
  const source = body[name] ?? media;
  return {
    kind,
    source,
    content: { ...body, [kind]: source, ...(caption !== undefined && { caption }) },
  };
}

/** As a message has it: a photo in all its sizes. */
function toMediaField(kind: Kind, fileId: string): Body {
  const file = { file_id: fileId, file_unique_id: `u-${fileId}`, file_size: 1000 };
  if (kind === 'photo') {
    const small = { ...file, file_id: `${fileId}-small`, width: 90, height: 90 };
    return { photo: [small, { ...file, width: 1280, height: 1280 }] };
  }
  return kind === 'animation' ? { animation: file, document: file } : { [kind]: file };
}

function readCaption(body: Body): Pick<Content, 'text' | 'entities'> {
  const { caption = '', caption_entities: entities } = body;
  if (typeof caption !== 'string' || caption.length > maxCaptionLength) {
    throw refuse('message caption is too long');
  }
  if (entities !== undefined) {
    throwUnlessWithin(entities, caption);
  }
  return { text: caption, entities };
}

function throwUnlessUploadable(kind: Kind, { bytes }: FormFile): void {
  if (bytes.length > maxFileBytes) {
    throw new Refusal(413, 'Request Entity Too Large');
  }
  if (bytes.length === 0) {
    throw refuse('file must be non-empty');
  }
  if (kind === 'photo' && bytes.length > maxPhotoBytes) {
    throw refuse(
      `file of size ${bytes.length} bytes is too big for a photo; the maximum size is ${maxPhotoBytes} bytes`,
    );
  }
}
