/** Pictures, videos and voices that another server finds or makes, and how they get into a chat. */
import * as v from 'valibot';

import { animeEndpoints, hanimeEndpoints } from '#contract/playground/anime';
import {
  categoriesAnswer,
  downloadAnswer,
  pictureAnswer,
  speechAnswer,
  videosAnswer,
  voicesAnswer,
} from '#contract/playground/answers';
import { downloaderEndpoints } from '#contract/playground/downloaders';
import {
  findMistake,
  type PublicEndpoint,
  type Values,
} from '#contract/playground/public-endpoint';
import { speechEndpoints, type SpeechLanguage } from '#contract/playground/speech';
import { type Dependencies } from '#server/app/dependencies';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { createMemoryCache } from '#server/lib/memory-cache';
import { fetchAllowlisted, resolveAllowed } from '#server/upstream/allowlisted-fetch';
import { type FetchReply, fetchReply, NoReply } from '#server/upstream/fetch-json';
import { connectPublicUpstream } from '#server/upstream/public-api/public-upstream';
import { type ChatActions } from '#server/upstream/telegram/chat-actions';

import { type Outbox } from './outbox.ts';

type Needed = Pick<Dependencies, 'env' | 'clock' | 'serviceTimeoutMs' | 'network' | 'chatActions'>;

type Sending = Parameters<ChatActions['sendFiles']>[0];
type FileToSend = Sending['files'][number];
/** Where files go. */
export type MediaPlace = Pick<Sending, 'chatId' | 'topicId' | 'replyTo' | 'replacesId'>;

/** The names of the networks, for users. */
export const networkNames = downloaderEndpoints.map(({ name }) => name);

type FoundMedia = {
  readonly title: string;
  /** In the order of the page. */
  readonly files: readonly { readonly kind: FileToSend['kind']; readonly url: string }[];
};

/** What came of sending files: how many were sent, and the addresses of those that Telegram takes in no way. */
type Delivery = {
  readonly sent: number;
  readonly links: readonly string[];
};

/** Of Telegram: https://core.telegram.org/bots/api#sending-files. A call with several files has this for all of them. */
const maxUploadBytes = 50_000_000;
const maxPhotoBytes = 10_000_000;
export const maxAlbum = 10;
/** How many chats get files through this server at the same time: each may hold the largest call in memory. */
const maxAtOnce = 2;
const fileTimeoutMs = 60_000;
const maxRedirects = 3;

export function createFetchedMedia(deps: Needed, { outbox }: { readonly outbox: Outbox }) {
  const root = deps.env.publicApi.upstream;
  const upstream =
    root === undefined ? undefined : connectPublicUpstream(root, deps.serviceTimeoutMs);

  /** Throws what `PublicUpstream` throws; examples are no answer for a chat. */
  async function readAnswer<Schema extends v.GenericSchema>(
    endpoint: PublicEndpoint,
    values: Values,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    const answer = await upstream?.answer(endpoint, values);
    if (answer === undefined || answer['is_demo'] === true) {
      throw new AppError('service_not_set_up');
    }
    return v.parse(schema, answer);
  }

  const loader = createLoader(deps, root);
  const delivery = createDelivery(deps, loader, outbox);
  return {
    fetchedMedia: {
      ...createDownloads(readAnswer),
      ...createAdultSources(readAnswer),
      ...createSpeaking(deps, readAnswer, loader.load),
      deliver: delivery.deliver,
      /** Throws `telegram_unavailable`, and `telegram_refused` where the person or the chat takes no voice messages. */
      sendVoice: async (place: MediaPlace, voice: FileToSend): Promise<void> => {
        if (!(await delivery.send(place, { text: '', files: [voice] }))) {
          throw new AppError('telegram_refused');
        }
      },
    },
  };
}

type ReadAnswer = <Schema extends v.GenericSchema>(
  endpoint: PublicEndpoint,
  values: Values,
  schema: Schema,
) => Promise<v.InferOutput<Schema>>;

const kinds = { image: 'photo', video: 'video', audio: 'audio' } as const;

function createDownloads(readAnswer: ReadAnswer) {
  return {
    /** Whether a link leads to one of the networks. */
    isKnown: (link: string): boolean => findNetwork(link) !== undefined,

    /** The files behind a link to one of the networks. Throws `nothing_found`, and what `PublicUpstream` throws. */
    find: async (link: string): Promise<FoundMedia> => {
      const network = findNetwork(link);
      if (network === undefined) {
        throw new AppError('download_refused');
      }
      const { title = '', media } = await readAnswer(network, { url: link }, downloadAnswer);
      if (media.length === 0) {
        throw new AppError('nothing_found');
      }
      return {
        title,
        files: media.map(({ type, stream_url: url }) => ({ kind: kinds[type], url })),
      };
    },
  };
}

const [, pictureForAdults] = animeEndpoints;
const [filmsForAdults] = hanimeEndpoints;

function createAdultSources(readAnswer: ReadAnswer) {
  return {
    /** The address of a picture for adults, of a character if one is named. Throws what `PublicUpstream` throws. */
    findForAdults: async (character: string): Promise<string> => {
      const values = character === '' ? {} : { character };
      const { result, images } = await readAnswer(pictureForAdults, values, pictureAnswer);
      const url = result ?? images?.[0]?.stream_url;
      if (url === undefined) {
        throw new AppError('nothing_found');
      }
      return url;
    },

    /** The titles of a page of films for adults. Throws `nothing_found`, and what `PublicUpstream` throws. */
    listForAdults: async (page: number): Promise<readonly string[]> => {
      const { videos } = await readAnswer(filmsForAdults, { page: String(page) }, videosAnswer);
      if (videos.length === 0) {
        throw new AppError('nothing_found');
      }
      return videos.map(({ title }) => title);
    },
  };
}

function findNetwork(link: string) {
  return downloaderEndpoints.find(({ parameters: [url] }) => findMistake(url, link) === undefined);
}

type Loaded = FetchReply | 'too large' | 'gone' | 'refused';

const isWebAddress = (url: URL | null): url is URL =>
  url?.protocol === 'https:' || url?.protocol === 'http:';

const isRedirect = ({ status }: FetchReply) => status >= 300 && status < 400;

/** Whether a reply is no file: an error, nothing, or a page. */
const isNoFile = (reply: FetchReply) =>
  reply.status !== 200 ||
  reply.bytes.length === 0 ||
  /^(?:text\/|application\/(?:json|xml))/.test(readType(reply));

/** Loads files from the open internet, and from the server that was asked for them. */
function createLoader(
  { network, serviceTimeoutMs: timeoutMs = fileTimeoutMs }: Needed,
  root: string | undefined,
) {
  /** Of the server that was asked. It may be in the operator's own network, where Telegram does not reach it. */
  const isOwn = (url: URL) => root !== undefined && url.origin === new URL(root).origin;

  async function fetchOnce(url: URL, isTrusted: boolean, maxBytes: number): Promise<FetchReply> {
    return isTrusted
      ? fetchReply({ service: 'files', url: url.href, timeoutMs, maxBytes })
      : fetchAllowlisted({ url, timeoutMs, maxBytes, accept: '*/*' }, network);
  }

  /** Follows redirects, each to a public address. A stranger's redirect to the server itself is one to a stranger. */
  async function follow(address: string, maxBytes: number): Promise<Loaded> {
    let url = new URL(address);
    let isTrusted = isOwn(url);
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const reply = await fetchOnce(url, isTrusted, maxBytes);
      if (!isRedirect(reply)) {
        return isNoFile(reply) ? 'gone' : reply;
      }
      const next = URL.parse(reply.headers.get('Location') ?? '', url);
      if (!isWebAddress(next)) {
        return 'gone';
      }
      isTrusted &&= isOwn(next);
      url = next;
    }
    return 'gone';
  }

  async function load(address: string, maxBytes: number): Promise<Loaded> {
    try {
      return await follow(address, maxBytes);
    } catch (error) {
      if (error instanceof NoReply) {
        return error.reason === 'too-large' ? 'too large' : 'gone';
      }
      if (error instanceof AppError) {
        return 'refused';
      }
      throw error;
    }
  }

  /** Whether people may be given an address. The operator's own network is of no use to them, and not their business. */
  async function isPublic(address: string): Promise<boolean> {
    try {
      await resolveAllowed(new URL(address), network);
      return true;
    } catch {
      return false;
    }
  }

  return {
    load,
    isPublic,

    /** Whether Telegram may be given an address: its server may be the operator's own, and reach private networks. */
    isOpen: async (address: string): Promise<boolean> =>
      !isOwn(new URL(address)) && (await isPublic(address)),
  };
}

function createDelivery(
  { chatActions }: Needed,
  { load, isOpen, isPublic }: ReturnType<typeof createLoader>,
  outbox: Outbox,
) {
  const places = createKeyedSemaphore(maxAtOnce);

  /** Returns false when Telegram cannot use a file. Throws `telegram_unavailable`, and `telegram_refused` for a chat. */
  async function send(place: MediaPlace, message: Pick<Sending, 'text' | 'files'>) {
    const outcome = await outbox.send(
      place.chatId,
      (chatId) =>
        chatActions?.sendFiles({ ...place, ...message, chatId }) ??
        Promise.resolve({ kind: 'later', retryAfterS: undefined }),
    );
    if (outcome.kind === 'refused' && outcome.why !== 'file lost') {
      throw new AppError('telegram_refused');
    }
    if (outcome.kind !== 'done' && outcome.kind !== 'refused') {
      throw new AppError('telegram_unavailable');
    }
    return outcome.kind === 'done';
  }

  /** As many as there is room for. */
  async function loadFiles(files: FoundMedia['files']) {
    const loaded: FileToSend[] = [];
    const missing: string[] = [];
    const refused: string[] = [];
    let left = maxUploadBytes;
    for (const { kind, url } of files) {
      const max = kind === 'photo' ? Math.min(left, maxPhotoBytes) : left;
      const file = await load(url, max);
      if (typeof file === 'string') {
        (file === 'refused' ? refused : missing).push(url);
      } else {
        left -= file.bytes.length;
        loaded.push({ kind, file: { name: nameFile(kind, readType(file)), bytes: file.bytes } });
      }
    }
    return { loaded, missing, refused };
  }

  async function upload(
    place: MediaPlace,
    files: FoundMedia['files'],
    text: string,
  ): Promise<Delivery> {
    const release = await places.acquire('files');
    try {
      const { loaded, missing, refused } = await loadFiles(files);
      const isSent = loaded.length > 0 && (await send(place, { text, files: loaded }));
      const all = files.map(({ url }) => url).filter((url) => !refused.includes(url));
      const left = isSent ? missing : all;
      const open = await Promise.all(left.map(isPublic));
      const links = left.filter((_url, at) => open[at]);
      if (!isSent && links.length === 0) {
        throw new AppError('download_refused');
      }
      return { sent: isSent ? loaded.length : 0, links };
    } finally {
      release();
    }
  }

  return {
    send,

    /**
     * Sends files as one message: by their addresses, or by way of this server when Telegram cannot get them. Throws
     * `download_refused` when none is in the open internet, `telegram_unavailable` and `telegram_refused`.
     */
    deliver: async (
      place: MediaPlace,
      files: FoundMedia['files'],
      text: string,
    ): Promise<Delivery> => {
      const open = await Promise.all(files.map(({ url }) => isOpen(url)));
      if (open.every(Boolean)) {
        const byAddress = files.map(({ kind, url }) => ({ kind, file: url }));
        if (await send(place, { text, files: byAddress })) {
          return { sent: files.length, links: [] };
        }
      }
      return upload(place, files, text);
    },
  };
}

function readType({ headers }: FetchReply): string {
  return (headers.get('Content-Type') ?? '').toLowerCase();
}

/** Telegram looks at the end of the name. */
function nameFile(kind: FileToSend['kind'], type: string): string {
  const [, subtype = ''] = /^(?:image|video|audio)\/(png|webp|webm|ogg|mp4)\b/.exec(type) ?? [];
  const ends = { photo: 'jpg', video: 'mp4', audio: 'mp3', voice: 'ogg', document: 'bin' } as const;
  const end = kind === 'audio' && subtype === 'mp4' ? 'm4a' : subtype;
  return `${kind}.${end === '' ? ends[kind] : end}`;
}

/** Those with voices, in the order of the list. */
const collections = ['tts', 'anime-tts', 'others-tts'] as const;
type Collection = (typeof collections)[number];

export type Voice = {
  readonly collection: Collection;
  readonly category: string;
  readonly name: string;
};

export const maxSpokenLength = 300;
const maxSpeechBytes = 8_000_000;
const voicesMs = 3_600_000;

/** None when the server has no such list. */
async function list<Names>(read: () => Promise<readonly Names[]>): Promise<readonly Names[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'nothing_found') {
      return [];
    }
    throw error;
  }
}

function createSpeaking(
  { clock }: Needed,
  readAnswer: ReadAnswer,
  load: (address: string, maxBytes: number) => Promise<Loaded>,
) {
  const cache = createMemoryCache<readonly Voice[]>({ max: 1, lifetimeMs: voicesMs, clock });

  async function listVoices(collection: Collection): Promise<readonly Voice[]> {
    const categories = await list(async () => {
      const answer = await readAnswer(findSpeech(`${collection}-categories`), {}, categoriesAnswer);
      return answer.categories;
    });
    const voices: Voice[] = [];
    for (const category of categories) {
      const names = await list(async () => {
        const endpoint = findSpeech(`${collection}-characters`);
        return (await readAnswer(endpoint, { category }, voicesAnswer)).characters;
      });
      voices.push(...names.map((name) => ({ collection, category, name })));
    }
    return voices;
  }

  return {
    /** Throws what `PublicUpstream` throws. */
    listVoices: (): Promise<readonly Voice[]> =>
      cache.get('all', async () => {
        const lists: Voice[] = [];
        for (const collection of collections) {
          lists.push(...(await listVoices(collection)));
        }
        return lists;
      }),

    /** A voice message; undefined when the server made another kind of file. Throws what `PublicUpstream` throws. */
    speak: async (
      text: string,
      { collection, category, name }: Pick<Voice, 'collection'> & Partial<Voice>,
    ): Promise<FileToSend | undefined> => {
      const answer = await readAnswer(
        findSpeech(`${collection}-synthesize`),
        { text, category, character: name, language: findSpokenLanguage(text) },
        speechAnswer,
      );
      const file = await load(answer.stream_url, maxSpeechBytes);
      if (typeof file === 'string') {
        throw new AppError(file === 'refused' ? 'download_refused' : 'service_answer_broken');
      }
      const end = findVoiceType(file.bytes);
      return end && { kind: 'voice', file: { name: `voice.${end}`, bytes: file.bytes } };
    },
  };
}

function findSpeech(id: string): PublicEndpoint {
  const found = speechEndpoints.flat().find((endpoint) => endpoint.id === id);
  if (found === undefined) {
    throw new AppError('service_not_set_up');
  }
  return found;
}

/** By its letters, of those that the collections know. */
function findSpokenLanguage(text: string): SpeechLanguage {
  if (/[\u3040-\u30FF]/.test(text)) {
    return 'ja';
  }
  if (/\p{Script=Hangul}/u.test(text)) {
    return 'ko';
  }
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}

/** The end of the name of a file that Telegram plays as a voice message: https://core.telegram.org/bots/api#sendvoice */
function findVoiceType(bytes: Buffer): 'ogg' | 'mp3' | 'm4a' | undefined {
  const start = bytes.toString('latin1', 0, 64);
  if (start.startsWith('OggS')) {
    return start.includes('OpusHead') ? 'ogg' : undefined;
  }
  if (start.startsWith('ID3') || /^\u00FF[\u00E2-\u00FF]/.test(start)) {
    return 'mp3';
  }
  return start.startsWith('ftyp', 4) ? 'm4a' : undefined;
}
