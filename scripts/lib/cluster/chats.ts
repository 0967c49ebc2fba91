/**
 * What happens in the chats of `npm run test:cluster`: members write, which the stand-in of Telegram sends to the webhook, and
 * pages follow their chats as the product's own pages do.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';

import { type MessageType, settingName } from '#contract/chats/message-types';
import { type ChatEvent, followChat } from '#contract/endpoints/chat-activity';
import { readValues } from '#contract/endpoints/chat-values';
import { readChat } from '#contract/endpoints/chats';
import { migrate, openDatabase } from '#server/db/client';
import { createPasswordHasher } from '#server/lib/password-hasher';
import { type BotApi } from '#tests/bot-api-server';
import { samples } from '#tests/sample-messages';

import { type BotLedger } from '../bot-ledger.ts';
import { createPost } from '../bot-load.ts';
import {
  type Caller,
  type Journal,
  pick,
  type Promises,
  type Random,
  setSetting,
  type SettingPlace,
  type User,
} from './people.ts';

const topics = [0, 5, 9] as const;
const password = 'seven quiet otters';
const firstUser = 700_000_001;

/** In General of each chat, from the beginning; photos in every second chat, links in the others. */
const blockedAtFirst = (index: number): MessageType => (index % 2 === 0 ? 'photo' : 'url');

/** Types that are blocked while the test runs. Messages of these types are written only afterwards. */
const blockedLater: readonly MessageType[] = ['sticker', 'dice', 'poll', 'voice', 'contact'];

/** Settings that are toggled: no message that is written depends on them. */
const toggledTypes: readonly MessageType[] = [
  ...(['video', 'animation', 'audio', 'video_note', 'document', 'story', 'checklist'] as const),
  ...(['game', 'giveaway', 'hashtag', 'mention', 'custom_emoji', 'spoiler', 'forward'] as const),
];

type Place = {
  readonly chatId: number;
  /** In the order in which they may manage it; the first owns it. */
  readonly managers: readonly number[];
  readonly index: number;
};

type World = { readonly users: readonly User[]; readonly places: readonly Place[] };

/** Makes users and chats; each chat has two users who manage it. */
export async function makeWorld(
  databaseUrl: string,
  { users: userCount, chats }: { readonly users: number; readonly chats: number },
): Promise<World> {
  const places = Array.from({ length: chats }, (_, index) => ({
    index,
    chatId: -1_001_000_000_000 - index,
    managers: [firstUser + (index % userCount), firstUser + ((index + 1) % userCount)],
  }));
  const ids = Array.from({ length: userCount }, (_, index) => firstUser + index);
  const database = openDatabase({ url: databaseUrl });
  await migrate(database);
  const now = Date.now();
  const password_hash = await createPasswordHasher().hash(password);
  await database.db.transaction().execute(async (tx) => {
    const common = { first_name: 'User', username: null, photo_url: null, created_at: now };
    await tx
      .insertInto('people')
      .values(
        ids.map((telegram_id) => ({
          ...common,
          telegram_id,
          email: `${randomUUID()}@example.org`,
          password_hash,
        })),
      )
      .execute();
    await tx
      .insertInto('chats')
      .values(
        places.map(({ chatId }) => ({
          chat_id: chatId,
          chat_name: 'Otters',
          is_demo: 0,
          created_at: now,
        })),
      )
      .execute();
    await tx
      .insertInto('chat_managers')
      .values(
        places.flatMap(({ chatId, managers: [owner = 0, ...others] }) =>
          [owner, ...others].map((telegram_id) => ({
            chat_id: chatId,
            telegram_id,
            owner_id: owner,
            role: telegram_id === owner ? ('creator' as const) : ('administrator' as const),
            verified_at: now,
            checked_at: now,
          })),
        ),
      )
      .execute();
    await tx
      .insertInto('topics')
      .values(
        places.flatMap(({ chatId: chat_id }) =>
          topics.map((topic_id) => ({ chat_id, topic_id, created_at: now })),
        ),
      )
      .execute();
    await tx
      .insertInto('topic_settings')
      .values(
        places.map(({ chatId, index }) => ({
          chat_id: chatId,
          topic_id: 0,
          name: settingName(blockedAtFirst(index)),
          is_blocked: 1,
          updated_at: now,
        })),
      )
      .execute();
  });
  await database.close();
  const users = ids.map((telegramId) => ({
    telegramId,
    password,
    token: '',
    chats: places.flatMap(({ chatId, managers }) =>
      managers.includes(telegramId) ? [chatId] : [],
    ),
  }));
  return { users, places };
}

/** The settings that a user toggles: those of a chat are shared among its managers. */
export function listToggled({ places }: World, { telegramId }: User): readonly SettingPlace[] {
  return places
    .filter(({ managers }) => managers.includes(telegramId))
    .flatMap(({ chatId, managers }) =>
      topics.flatMap((topic) =>
        toggledTypes
          .filter((_, index) => managers[index % managers.length] === telegramId)
          .map((type) => ({ chatId, topic, name: settingName(type) })),
      ),
    );
}

type MessageTools = {
  readonly api: BotApi;
  readonly ledger: BotLedger;
  readonly places: readonly Place[];
  readonly random: Random;
  readonly over: AbortSignal;
};

const tickMs = 20;
const albumSize = 3;
const caption = { caption: 'something', caption_entities: samples.url['entities'] };

/** Members write so many messages a second, of which about a third are blocked. */
export function createMembers({ api, ledger, places, random, over }: MessageTools) {
  const post = createPost(api.updates.push, ledger);
  let written = 0;
  let albums = 0;

  function write(chatId: number, content: object, options: { topic?: number; isBlocked: boolean }) {
    written += 1;
    const key = post.add(chatId, options.topic ?? 0, { ...content }, 'message');
    if (options.isBlocked) {
      ledger.expect(key);
    }
  }

  /** Three photos, of which the second has a caption with a link: all are blocked in every chat. */
  function writeAlbum(chatId: number): void {
    albums += 1;
    for (let index = 0; index < albumSize; index += 1) {
      const photo = { ...samples.photo, media_group_id: `album-${albums}` };
      write(chatId, index === 1 ? { ...photo, ...caption } : photo, { isBlocked: true });
    }
  }

  function writeOne(): void {
    const place = pick(places, random);
    const chance = random();
    if (chance < 0.05) {
      writeAlbum(place.chatId);
    } else if (chance < 0.35) {
      const type = pick(['photo', 'url'] as const, random);
      write(place.chatId, samples[type], { isBlocked: type === blockedAtFirst(place.index) });
    } else {
      write(place.chatId, samples.text, { topic: pick(topics, random), isBlocked: false });
    }
  }

  return {
    counts: () => ({ written, albums }),

    writeUntilOver: async (perSecond: number): Promise<void> => {
      const start = performance.now();
      let due = 0;
      while (!over.aborted) {
        for (
          const wanted = ((performance.now() - start) / 1000) * perSecond;
          due < wanted;
          due += 1
        ) {
          writeOne();
        }
        await sleep(tickMs);
      }
    },

    /** Blocks one more type after the other; from the acknowledgement on, such messages must go. */
    blockMore: async (
      users: readonly User[],
      tools: { readonly caller: Caller; readonly promises: Promises; readonly breathMs: number },
    ): Promise<number> => {
      const all = places.flatMap(({ chatId, managers: [owner] }) =>
        topics.flatMap((topic) => blockedLater.map((type) => ({ chatId, topic, type, owner }))),
      );
      let blocked = 0;
      while (!over.aborted && all.length > 0) {
        const [next] = all.splice(Math.floor(random() * all.length), 1);
        const user = users.find(({ telegramId }) => telegramId === next?.owner);
        if (next !== undefined && user !== undefined) {
          const { chatId, topic, type } = next;
          await setSetting(tools, user, { chatId, topic, name: settingName(type), value: true });
          write(chatId, samples[type], { topic, isBlocked: true });
          blocked += 1;
        }
        await sleep(tools.breathMs, undefined, { signal: over }).catch(() => undefined);
      }
      return blocked;
    },
  };
}

/** What a page shows of its chat: topic → setting → blocked, and place → name → value. */
type Shown = {
  topics: Record<string, Record<string, boolean>>;
  values: Record<string, Record<string, unknown>>;
};

export type Page = {
  readonly name: string;
  readonly chatId: number;
  readonly shown: Shown;
  readonly counts: { readonly opened: number; readonly events: number };
  readonly leave: () => void;
};

/** As in the page: a connection that says nothing for so long is dead. */
const maxSilenceMs = 60_000;
const steadyMs = 10_000;
const firstWaitMs = 1000;
const maxWaitMs = 30_000;

type PageOptions = { readonly name: string; readonly chatId: number; readonly user: User };
type PageTools = {
  readonly caller: Caller;
  readonly journal: Journal;
  readonly random: Random;
};

/** What a page shows: read as a whole, and changed by events. */
function createShownChat(
  { name, chatId, user }: PageOptions,
  { caller, journal, left }: Omit<PageTools, 'random'> & { readonly left: AbortSignal },
) {
  const shown: Shown = { topics: {}, values: {} };
  let reading: Promise<void> | undefined;
  let isReadAgain = false;

  async function readAll(): Promise<void> {
    do {
      isReadAgain = false;
      const get = (rest = '') =>
        caller.persist(
          { method: 'GET', path: `/backend/chats/${chatId}${rest}`, token: user.token },
          left,
        );
      const [chat, values] = await Promise.all([get(), get('/values')]);
      if (chat?.status === 200 && values?.status === 200) {
        shown.topics = structuredClone(v.parse(readChat.output, chat.read()).topics);
        shown.values = structuredClone(v.parse(readValues.output, values.read()).values);
      }
    } while (isReadAgain);
  }

  /** One read at a time; what happens during a read is read once more. */
  function readAgain(): void {
    isReadAgain = reading !== undefined;
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
  }

  function apply(event: ChatEvent): void {
    if (event.kind === 'settings') {
      for (const [topic, settings] of Object.entries(event.topics)) {
        shown.topics[topic] = { ...shown.topics[topic], ...settings };
      }
    } else if (event.kind === 'values') {
      for (const [place, values] of Object.entries(event.values)) {
        shown.values[place] = { ...shown.values[place], ...values };
      }
    } else if (event.kind === 'lost') {
      journal.fault(`${name} was told that its user no longer manages ${chatId}`);
    }
    if (reading !== undefined || (event.kind !== 'settings' && event.kind !== 'values')) {
      readAgain();
    }
  }

  return { shown, readAgain, apply };
}

/** Follows a chat by its stream of events, and reads the chat again whenever the connection is opened. */
export function openPage(options: PageOptions, { caller, journal, random }: PageTools): Page {
  const { name, chatId, user } = options;
  const left = new AbortController();
  const chat = createShownChat(options, { caller, journal, left: left.signal });
  const counts = { opened: 0, events: 0 };

  function hear(text: unknown): void {
    const { success, output } = v.safeParse(followChat.output, text);
    if (success) {
      counts.events += 1;
      chat.apply(output);
    }
  }

  /** Returns how many seconds the server asks to wait. */
  async function connect(connection: AbortController): Promise<number> {
    const reply = await fetch(`${caller.url}/backend/chats/${chatId}/events`, {
      headers: { Authorization: `Bearer ${user.token}` },
      signal: connection.signal,
    });
    if (reply.status !== 200 || reply.body === null) {
      const text = await reply.text();
      if (reply.status !== 503) {
        journal.fault(`${name}: ${reply.status} for its events: ${text}`);
      }
      return Number(reply.headers.get('Retry-After') ?? 0);
    }
    counts.opened += 1;
    chat.readAgain();
    await readEvents(reply.body, hear, () => connection.abort());
    return 0;
  }

  async function keepConnected(): Promise<void> {
    let failures = 0;
    while (!left.signal.aborted) {
      const startedAt = performance.now();
      const connection = new AbortController();
      const end = () => connection.abort();
      left.signal.addEventListener('abort', end);
      const requestedS = await connect(connection).catch(() => 0);
      left.signal.removeEventListener('abort', end);
      end();
      failures = performance.now() - startedAt > steadyMs ? 0 : failures + 1;
      const longest = Math.min(firstWaitMs * 2 ** failures, maxWaitMs) * (0.5 + random() / 2);
      const ms = Math.max(requestedS * 1000, longest);
      await sleep(ms, undefined, { signal: left.signal }).catch(() => undefined);
    }
  }

  void keepConnected();
  return { name, chatId, shown: chat.shown, counts, leave: () => left.abort() };
}

/** Reads events until the stream ends or is silent for too long. */
async function readEvents(
  stream: ReadableStream<Uint8Array>,
  onEvent: (event: unknown) => void,
  end: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let unread = '';
  let timer = setTimeout(end, maxSilenceMs);
  try {
    for await (const piece of stream) {
      clearTimeout(timer);
      timer = setTimeout(end, maxSilenceMs);
      const blocks = (unread + decoder.decode(piece, { stream: true })).split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks.filter((text) => text.startsWith('data: '))) {
        onEvent(JSON.parse(block.slice('data: '.length)));
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
