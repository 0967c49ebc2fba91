/**
 * Random messages under random settings: exactly those are deleted that the rules name. The rules
 * are written here a second time, as simply as possible.
 */
import { expect, test } from 'vitest';

import { allMessageTypes, type MessageType, moreMessageTypes } from '#contract/chats/message-types';
import { chatId, moderatedChat, inOrder, people, topicId } from '#tests/moderated-chat';
import { hidingPlaces, otherForms, samples } from '#tests/sample-messages';
import { randomStart } from '#tests/setup';

type Content = Readonly<Record<string, unknown>>;

const runs = 25;
const stepsPerRun = 120;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * `kinds`: the message types of this part; those of all parts together are the types of the
 * message.
 */
type Part = { readonly content: Content; readonly kinds: readonly MessageType[] };

const serviceTypes: readonly MessageType[] = moreMessageTypes.service;

/** Telegram writes these: they have no other parts, and none of them is exempt. */
const serviceBodies: readonly Part[] = serviceTypes.map((type) => ({
  content: samples[type],
  kinds: [type],
}));

/** Any body can be one of these. */
const typesOfAnyBody: ReadonlySet<MessageType> = new Set(['forward', 'via_bot', 'channel_sender']);

const bodies: readonly Part[] = [
  ...allMessageTypes
    .filter((type) => !typesOfAnyBody.has(type) && !serviceTypes.includes(type))
    .map((type) => ({ content: samples[type], kinds: kindsOfBody(type, samples[type]) })),
  ...[...otherForms, ...hidingPlaces].map(([, type, content]) => ({
    content,
    kinds: kindsOfBody(type, content),
  })),
  ...serviceBodies,
];

/** The type that a body is a sample of, and its other types. */
function kindsOfBody(type: MessageType, content: Content): readonly MessageType[] {
  const kinds: MessageType[] = [type];
  if (typeof content['text'] === 'string' || 'rich_message' in content) {
    kinds.push('text');
  }
  for (const kind of ['photo', 'poll', 'checklist', 'game'] as const) {
    if (kind in content) {
      kinds.push(kind);
    }
  }
  if ('forward_origin' in content) {
    kinds.push('forward');
  }
  // The sample with a map in a rich message is also a location.
  if (JSON.stringify(content).includes('"type":"map"')) {
    kinds.push('location');
  }
  // The covered picture is also a photo.
  if (JSON.stringify(content).includes('"type":"photo"')) {
    kinds.push('photo');
  }
  // An invite link is a link as well, unless it is in words alone.
  if (type === 'invite_link' && JSON.stringify(content).includes('"url"')) {
    kinds.push('url');
  }
  return kinds;
}

const entityKinds = [
  ['url', 'url'],
  ['text_link', 'url'],
  ['mention', 'mention'],
  ['text_mention', 'mention'],
  ['hashtag', 'hashtag'],
  ['cashtag', 'hashtag'],
  ['bot_command', 'bot_command'],
  ['custom_emoji', 'custom_emoji'],
  ['spoiler', 'spoiler'],
  ['bold', undefined],
  ['email', 'email'],
  ['phone_number', 'phone_number'],
  ['date_time', undefined],
] as const;

/** `kind`: what a message is because of who wrote it. */
const senders: readonly {
  readonly mayAll: boolean;
  readonly content: Content;
  readonly kind?: MessageType;
}[] = [
  { mayAll: false, content: {} },
  { mayAll: false, content: { from: { id: 4242, is_bot: false, first_name: 'Guest' } } },
  { mayAll: true, content: { from: { id: people.owner } } },
  { mayAll: true, content: { from: { id: people.administrator } } },
  { mayAll: true, content: { from: { id: 1_087_968_824 }, sender_chat: { id: chatId } } },
  {
    mayAll: false,
    content: { from: { id: 136_817_688 }, sender_chat: { id: -1_001_777 } },
    kind: 'channel_sender',
  },
  {
    mayAll: true,
    content: { from: { id: 777_000 }, sender_chat: { id: -1_001_777 }, is_automatic_forward: true },
  },
];

const places = [
  { topic: 0, content: {} },
  { topic: 0, content: { message_thread_id: topicId } },
  { topic: topicId, content: { is_topic_message: true, message_thread_id: topicId } },
  { topic: 99, content: { is_topic_message: true, message_thread_id: 99 } },
] as const;

/** Runs one story; returns the deleted messages and the expected ones. */
async function play(start: number) {
  const random = numbersFrom(start);
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[Math.floor(random() * list.length)];
    if (picked === undefined) {
      throw new Error('There is nothing to pick from');
    }
    return picked;
  };
  const chance = (share: number) => random() < share;
  const chat = await moderatedChat();
  const blocked = new Map<number, Set<MessageType>>([
    [0, new Set()],
    [topicId, new Set()],
  ]);
  const albums = new Map<string, { ids: number[]; isDoomed: boolean }>();
  const expected = new Set<number>();
  const story: string[] = [];

  async function changeSomething(): Promise<void> {
    const topic = pick([0, topicId]);
    const type = pick(allMessageTypes);
    const types = blocked.get(topic);
    if (types?.delete(type) === true) {
      await chat.allow([type], { topic });
    } else {
      types?.add(type);
      await chat.block([type], { topic });
    }
    story.push(`switch ${type} in ${topic}`);
  }

  function randomMessage() {
    const body = pick(bodies);
    const kinds = new Set<MessageType>(body.kinds);
    const more: Record<string, unknown> = {};
    const isService = serviceBodies.includes(body);
    if (chance(0.3) && !isService) {
      const [entity, kind] = pick(entityKinds);
      // The entities of the text itself must stay, so these go into the caption.
      more['caption_entities'] = [{ type: entity, offset: 0, length: 3 }];
      if (kind !== undefined) {
        kinds.add(kind);
      }
    }
    if (chance(0.2) && !isService) {
      more['forward_origin'] = { type: 'user', date: 1, sender_user: { id: 3 } };
      kinds.add('forward');
    }
    if (chance(0.2) && !isService) {
      more['via_bot'] = { id: 555, is_bot: true };
      kinds.add('via_bot');
    }
    return { content: { ...body.content, ...more }, kinds, isService };
  }

  /** An album has one sender and one topic. */
  function randomAlbum(sender: (typeof senders)[number], place: (typeof places)[number]) {
    return chance(0.3)
      ? `${senders.indexOf(sender)}-${places.indexOf(place)}-${pick(['a', 'b'])}`
      : undefined;
  }

  /** When one message of an album is blocked, all of them are. */
  function expectAlbum(albumId: string, id: number): void {
    const album = albums.get(albumId) ?? { ids: [], isDoomed: false };
    albums.set(albumId, album);
    album.ids.push(id);
    album.isDoomed ||= expected.has(id);
    if (album.isDoomed) {
      album.ids.forEach((one) => expected.add(one));
    }
  }

  async function writeSomething(): Promise<void> {
    const { content, kinds, isService } = randomMessage();
    const sender = pick(chance(0.5) ? senders.slice(0, 1) : senders);
    if (sender.kind !== undefined) {
      kinds.add(sender.kind);
    }
    const place = pick(places);
    const albumId = isService ? undefined : randomAlbum(sender, place);
    const message = chat.message({
      ...content,
      ...sender.content,
      ...place.content,
      ...(albumId === undefined ? {} : { media_group_id: albumId }),
      ...(chance(0.3) ? { edit_date: 2 } : {}),
    });
    const id = message.message_id;
    const types = blocked.get(place.topic);
    if ((isService || !sender.mayAll) && [...kinds].some((kind) => types?.has(kind) === true)) {
      expected.add(id);
    }
    // A chat that blocks nothing does not remember albums.
    const isWatched = [...blocked.values()].some(({ size }) => size > 0);
    if (albumId !== undefined && isWatched) {
      expectAlbum(albumId, id);
    }
    story.push(`${id} ${[...kinds].join('+')} in ${place.topic} album ${albumId ?? 'none'}`);
    await chat.server.services.moderation.handleMessage(message);
  }

  for (let step = 0; step < stepsPerRun; step += 1) {
    // In order: the steps of a story depend on each other.
    await (chance(0.35) ? changeSomething() : writeSomething());
  }
  return { deleted: chat.deleted(), expected: [...expected], story };
}

test.each(Array.from({ length: runs }, (_, run) => randomStart + run))(
  'story %i: every blocked message is deleted once, and no other',
  async (start) => {
    const { deleted, expected, story } = await play(start);

    // The story is on both sides, so that a failure shows it.
    expect({ story, ids: inOrder(deleted) }).toEqual({ story, ids: inOrder(expected) });
  },
);

test('the stories delete enough messages to be meaningful', async () => {
  const stories = await Promise.all([1, 2, 3].map(play));

  expect(stories.flatMap(({ deleted }) => deleted).length).toBeGreaterThan(30);
});
