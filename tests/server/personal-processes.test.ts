/**
 * Two servers with one database: what people have the bot keep for them, look up or make is right whichever of the two
 * hears of it, and what is limited is counted by both together.
 */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { generate, readJob } from '#contract/endpoints/images';
import { readSentRecipe } from '#contract/endpoints/picture-sharing';
import { type Database, openDatabase } from '#server/db/client';
import { startAniList } from '#tests/anilist';
import { asRecord } from '#tests/bot-api-world';
import { signIn } from '#tests/chats';
import { createHandEngine } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import { typeQuery } from '#tests/inline';
import { pngChunk, tinyPng, withPngChunks } from '#tests/picture-files';
import { startPostgres } from '#tests/postgres';
import { run } from '#tests/public-api';
import { startStandIn } from '#tests/stand-in';
import { groupId } from '#tests/test-bot';
import { minute, openTestDatabase } from '#tests/test-server';
import { startTwo } from '#tests/two-servers';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const [olga, bo, ann] = [111, 222, 444];
const people = [
  { id: olga, first_name: 'Olga' },
  { id: bo, first_name: 'Bo' },
  { id: ann, first_name: 'Ann', username: 'ann_otter' },
] as const;

const start = async (
  database: Database,
  options: Omit<Parameters<typeof startTwo>[0], 'database' | 'people'> = {},
) => startTwo({ database, people, ...options });

type Two = Awaited<ReturnType<typeof start>>;

const waitAtBoth = (two: Two, ms: number) => listServers(two).forEach((server) => server.wait(ms));

const listServers = ({ first, second }: Two) => [first, second] as const;

async function startWithFilms(database: Database) {
  const upstream = await startStandIn(() => ({
    body: { page: 1, videos: [{ title: 'First film' }] },
  }));
  onTestFinished(upstream.close);
  const variables = { PUBLIC_API_UPSTREAM: upstream.url, ADULT: 'on' };
  return { ...(await start(database, { variables })), upstream };
}

/** Two servers whose pictures are made by hand. */
async function startByHand(database: Database) {
  const hand = createHandEngine();
  const two = await start(database, { engines: { pixai: hand.engine } });
  onTestFinished(async () => {
    await Promise.all(listServers(two).map(({ services }) => services.generationJobs.stop()));
  });
  return { ...two, hand };
}

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('a whisper that is written at one is opened at the other, by the first who has the name', async () => {
    const two = await start(await open());
    const read = async (from: number) => {
      const pressId = two.api.inline.press(sent, from, 'Read');
      await two.api.updates.confirmed();
      await two.server.handled();
      return two.api.presses.answers.find((answer) => answer.pressId === pressId)?.text;
    };
    two.goTo(two.first);
    const { id } = await typeQuery(two, 'whisper @ann_otter See you at eight', { from: olga });
    const sent = two.api.inline.choose(id);

    two.goTo(two.second);
    expect(await read(bo)).toBe('This whisper is for @ann_otter.');
    expect(await read(ann)).toBe('See you at eight');
    two.goTo(two.first);
    expect([await read(ann), await read(olga)]).toEqual(Array(2).fill('See you at eight'));
  });

  test('two stickers that both get at the same moment are in one pack, and are counted', async () => {
    const two = await start(await open());
    const otherId = groupId - 1;
    two.api.addChat({ id: otherId, title: 'Ducks', creator: olga, members: [ann] });
    const fileId = two.api.stickers.addFile(Buffer.from('a sticker'));
    const facts = { type: 'regular', width: 512, height: 512, is_animated: false, is_video: false };
    const sticker = { file_id: fileId, file_unique_id: `u-${fileId}`, ...facts };
    const { promise: areBothThere, resolve: letBothGo } = Promise.withResolvers<void>();
    two.api.hold('createNewStickerSet', areBothThere);

    const both = Promise.all(
      [groupId, otherId].map((chatId) =>
        two.write('/kang', ann, {
          chatId,
          reply_to_message: { message_id: 5, date: 0, sticker },
        }),
      ),
    );
    await expect.poll(() => two.api.callsTo('createNewStickerSet')).toHaveLength(2);
    letBothGo();
    await both;

    const name = `p1_${ann}_by_nori_test_bot`;
    expect(two.api.stickers.findSet(name)?.stickers).toHaveLength(2);
    expect(
      await two.server.db.selectFrom('sticker_packs').select(['name', 'count']).execute(),
    ).toEqual([{ name, count: 2 }]);
    expect(two.api.messages.map(({ text }) => text)).toEqual(Array(2).fill('It is in your pack.'));
  });

  test('two stickers that are taken out at the same moment are both counted off', async () => {
    const two = await start(await open());
    const row = { telegram_id: ann, number: 1, title: 'Stickers of Ann', created_at: 0 };
    await two.server.db
      .insertInto('sticker_packs')
      .values({ name: 'p1', count: 3, ...row })
      .execute();

    await Promise.all(
      listServers(two).map(({ services }) => services.stickers.noteRemoved(ann, 'p1')),
    );

    expect(await two.server.db.selectFrom('sticker_packs').select('count').execute()).toEqual([
      { count: 1 },
    ]);
  });

  test('ten downloads an hour are counted by both together', async () => {
    const link = 'https://www.tiktok.com/@otters/video/7';
    const film = 'https://media.example/film';
    const upstream = await startStandIn(() => ({
      body: { url: link, title: 'Otters', media: [{ type: 'video', stream_url: film }] },
    }));
    onTestFinished(upstream.close);
    const two = await start(await open(), {
      variables: { PUBLIC_API_UPSTREAM: upstream.url },
      network: {
        lookup: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
        isAllowed: () => true,
      },
    });
    two.api.media.addAddress(film, 'video');
    const text = `/download ${link}`;
    const entities = [
      { type: 'bot_command', offset: 0, length: 9 },
      { type: 'url', offset: 10, length: link.length },
    ];
    const request = async () => {
      await two.write(text, bo, { text, entities });
      waitAtBoth(two, 2 * minute);
    };

    for (let count = 0; count < 10; count += 1) {
      await request();
    }
    for (const server of listServers(two)) {
      two.goTo(server);
      await request();
      expect(two.lastText()).toMatch(/Please try again in \d+ minutes\.$/);
    }

    expect(two.api.callsTo('sendVideo')).toHaveLength(10);
    expect(upstream.calls).toHaveLength(10);
  });

  test('twenty lookups of a person in ten minutes are counted by both together', async () => {
    const aniList = await startAniList();
    const two = await start(await open(), { variables: aniList.variables });
    const request = async (name: string) => {
      await two.write(`/anime ${name}`, bo);
      waitAtBoth(two, minute / 4);
    };

    for (let count = 0; count < 20; count += 1) {
      await request(`nothing ${count}`);
    }
    for (const server of listServers(two)) {
      two.goTo(server);
      await request('one more');
      expect(two.lastText()).toMatch(/^Too many requests\. Please try again in \d+ minutes\.$/);
    }

    expect(aniList.calls).toHaveLength(20);
  });

  test('thirty calls to AniList in a minute are counted by both together, whatever they are for', async () => {
    const aniList = await startAniList();
    const two = await start(await open(), { variables: aniList.variables });
    const servers = listServers(two);
    await two.write('/anime nothing', ann);
    await two.write('/manga nothing', ann);
    for (let count = 2; count < 30; count += 1) {
      const { lookups } = count % 2 === 0 ? two.first.services : two.second.services;
      await lookups.search('anime', `nothing ${count}`);
    }
    expect(aniList.calls).toHaveLength(30);
    for (const server of servers) {
      two.goTo(server);
      await two.write('/anime something else', bo);
      expect(two.lastText()).toMatch(/AniList/);
      const reply = await run(server, 'anilist-character', { character: 'someone else' });
      expect(reply.body).toMatchObject({ code: 'service_busy' });
    }

    expect(aniList.calls).toHaveLength(30);
  });

  test('who tells one of them to be an adult is not asked by the other', async () => {
    const { upstream, ...two } = await startWithFilms(await open());
    const request = () => two.write('/hanime', ann, { chatId: ann });
    const shown = () => {
      const message = two.api.messages.at(-1);
      return message && two.api.show(message)?.text;
    };
    two.goTo(two.first);
    await request();
    expect(shown()).toBe('This is for adults only.');
    expect(upstream.calls).toEqual([]);

    two.goTo(two.second);
    await two.press(ann, 'I am 18 or older');
    await request();
    expect(shown()).toBe('• First film');
    two.goTo(two.first);
    await request();

    expect(shown()).toBe('• First film');
    expect(upstream.calls).toHaveLength(2);
  });

  test('what is for adults is deleted by the other when the one that shows it is killed meanwhile', async () => {
    const two = await startWithFilms(await open());
    await two.write('/nsfwmode on', olga);
    // Telegram takes it, and the server does not hear so.
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    two.api.hold('editMessageText', isOver);
    two.goTo(two.first);
    const asked = two.write('/hanime', bo);
    await expect.poll(() => two.api.callsTo('editMessageText')).toHaveLength(1);
    const held = two.api.messages.findLast(({ text }) => text === 'This is for adults only.');
    await expect.poll(() => held && two.api.show(held)?.text).toBe('• First film');

    two.second.wait(10 * minute);
    await two.second.services.deletions.deleteDue();

    expect(two.api.deletions.gone(groupId)).toContain(held?.messageId);
    end();
    await asked;
  });

  test('a reminder that is noted at both at once is one, and of two for which one has room, one is refused', async () => {
    const two = await start(await open());
    const compost = { telegramId: ann, chatId: ann, topicId: undefined, text: 'compost' };
    const note = ({ services, now }: Two['first'], key: number) =>
      services.reminders.add({ ...compost, key: `${key}`, dueAt: now() + minute });
    const list = () => two.first.services.reminders.list(ann);

    await Promise.all(listServers(two).map((server) => note(server, 1)));
    expect(await list()).toHaveLength(1);

    await Promise.all(Array.from({ length: 23 }, (_, index) => note(two.first, index + 2)));
    const noted = await Promise.allSettled([note(two.first, 25), note(two.second, 26)]);
    expect(noted.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await list()).toHaveLength(25);
    // One of them is kept as it is, as when its update is handled again.
    await note(two.second, 1);
  });

  test('of two pictures that a person asks both for at once in a chat, one is made', async () => {
    const { hand, ...two } = await startByHand(await open());
    await signIn(two.first, ann);
    const where = { chatId: groupId, telegramId: ann, topicId: undefined, replyTo: undefined };

    const begun = await Promise.all(
      listServers(two).map(async ({ services: { telegramPictures } }, index) => {
        const request = await telegramPictures.toRequest({ prompt: `fox ${index}` });
        return telegramPictures.start({ ...where, ...request, key: `${index}` });
      }),
    );
    expect(begun.filter(Boolean)).toHaveLength(1);
    const runBoth = () =>
      Promise.all(listServers(two).map(({ services }) => services.dueJobs.runDue()));
    await expect
      .poll(
        async () => {
          hand.finish();
          await runBoth();
          return two.api.messages.filter((one) => two.api.show(one)?.media !== undefined).length;
        },
        { timeout: 20_000 },
      )
      .toBe(1);
    await runBoth();

    expect(await two.first.services.generations.list(ann)).toMatchObject([
      { prompt: `fox ${begun.indexOf(true)}` },
    ]);
    expect(two.api.messages).toHaveLength(1);
  });

  test('a recipe that the bot has read at one opens at the other', async () => {
    const two = await start(await open());
    const parameters = 'parameters\0\0\0\0\0a lighthouse\nSteps: 20, Sampler: Euler a, Seed: 7';
    const file = withPngChunks(tinyPng, pngChunk('iTXt', Buffer.from(parameters)));
    two.goTo(two.first);
    await two.write('', ann, {
      chatId: ann,
      text: undefined,
      document: {
        file_id: two.api.stickers.addFile(file),
        file_unique_id: 'u',
        mime_type: 'image/png',
        file_size: file.length,
      },
    });
    const markup = JSON.stringify(two.api.messages.at(-1)?.body['reply_markup']);
    const [, link = ''] = /recipe=([\w-]{36})/.exec(markup) ?? [];

    const { status, body } = await two.second.call(readSentRecipe, { link });

    expect({ status, body }).toMatchObject({ status: 200, body: { program: 'a1111' } });
    expect(asRecord(body)['recipe']).toContain('a lighthouse');
  });
});

/** Results of reading who is away wait, from `hold` until `letGo`. */
function holdAwayReads(database: Database) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const heldIds = new WeakSet<object>();
  let isHolding = false;
  let held = 0;
  const db = database.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (isHolding && node.kind === 'SelectQueryNode' && JSON.stringify(node).includes('"away"')) {
        heldIds.add(queryId);
      }
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (heldIds.has(queryId)) {
        held += 1;
        await promise;
      }
      return result;
    },
  });
  return {
    database: { ...database, db },
    hold: () => {
      isHolding = true;
    },
    held: () => held,
    letGo: () => {
      isHolding = false;
      resolve();
    },
  };
}

/** What the second hears of the first. */
async function listenAtSecond({ second }: Two) {
  const heard: unknown[] = [];
  second.services.chatEvents.onTold((event) => heard.push(event));
  await second.services.chatEvents.ready();
  return heard;
}

describe.skipIf(postgres === undefined)('on PostgreSQL', () => {
  const openPostgres = () => openTestDatabase(postgres?.url);
  const reply = {
    reply_to_message: { message_id: 5, date: 0, from: { is_bot: false, ...people[2] } },
  };

  test('who says to one to be away is told of by both, to each person once in ten minutes, and welcomed once', async () => {
    const two = await start(await openPostgres());
    const heard = await listenAtSecond(two);
    two.goTo(two.second);
    // It knows now that she is not away.
    await two.write('Hello', bo, reply);
    const texts = () => two.api.messages.map(({ text }) => text).slice(1);

    two.goTo(two.first);
    await two.write('/afk lunch', ann);
    await expect.poll(() => heard).toContainEqual({ kind: 'away', telegramId: ann });
    waitAtBoth(two, minute);
    const notice = 'Ann has been away for 60 seconds. Reason: lunch';
    two.goTo(two.second);
    await two.write('Well?', bo, reply);
    expect(texts()).toEqual([notice]);
    for (const server of listServers(two)) {
      two.goTo(server);
      await two.write('Well?', bo, reply);
    }
    expect(texts()).toEqual([notice]);
    await two.write('Well?', olga, reply);
    expect(texts()).toEqual([notice, notice]);
    waitAtBoth(two, 10 * minute);
    two.goTo(two.first);
    await two.write('Well?', bo, reply);
    expect(texts()).toHaveLength(3);

    two.goTo(undefined);
    await Promise.all([two.write('Here I am', ann), two.write('Really', ann)]);
    expect(texts().slice(3)).toEqual(['Welcome back, Ann.']);
    two.goTo(two.second);
    await two.write('Well?', bo, reply);
    expect(texts()).toHaveLength(4);
  });

  test('who goes away at one while the other looks whether they are is away for both', async () => {
    const reads = holdAwayReads(await openPostgres());
    const two = await start(reads.database);
    const heard = await listenAtSecond(two);
    reads.hold();
    const early = two.second.services.away.findUntold([ann], bo);
    await expect.poll(reads.held).toBe(1);

    await two.first.services.away.begin(ann, 'lunch');
    await expect.poll(() => heard).toContainEqual({ kind: 'away', telegramId: ann });
    reads.letGo();

    expect(await early).toEqual([]);
    expect(await two.second.services.away.findUntold([ann], bo)).toMatchObject([
      { telegramId: ann, reason: 'lunch' },
    ]);
  });

  test('the place in the queue counts what waits at both', async () => {
    const { hand, ...two } = await startByHand(await openPostgres());
    const me = await signIn(two.first, bo);
    const request = (server: Two['first'], index: number) =>
      server.call(generate, getPending(index), me);
    const calls = [0, 1, 2, 3].map((index) => request(two.first, index));
    await expect.poll(hand.asked).toBe(4);
    const readPlace = async (server: Two['first'], index: number) => {
      const { job_key } = getPending(index);
      return asRecord((await server.call(readJob, { job_key }, me)).body)['queue_position'];
    };

    calls.push(request(two.first, 4));
    await expect.poll(() => readPlace(two.second, 4)).toBe(1);
    two.second.wait(1);
    calls.push(request(two.second, 5));
    await expect.poll(() => readPlace(two.first, 5)).toBe(2);
    expect(hand.asked()).toBe(4);
    hand.finish();
    await expect.poll(() => readPlace(two.first, 5)).toBe(1);

    for (let count = 1; count < 6; count += 1) {
      await expect.poll(hand.waiting, { timeout: 20_000 }).toBeGreaterThan(0);
      hand.finish();
    }
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  });
});
