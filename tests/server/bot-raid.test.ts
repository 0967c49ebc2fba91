/** Raid protection: who joins is turned away for a while, by hand or when many join at once, and it ends by itself. */
import { describe, expect, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import { ann, bo, olga } from '#tests/command-group';
import { newcomer, startNewcomers, uma, vic, wes } from '#tests/newcomers';
import { groupId } from '#tests/test-bot';
import { minute, type TestServer } from '#tests/test-server';

const hour = 60 * minute;

const readRaid = async ({ services }: TestServer) =>
  (await services.chatValues.readForBot(groupId)).get(wholeChatId)?.get('raid_until');

const texts = (group: Awaited<ReturnType<typeof startNewcomers>>) =>
  group.listShown().map(({ text }) => text);

describe('/antiraid', () => {
  test('turns newcomers away for an hour, until it ends; the group is told once', async () => {
    const group = await startNewcomers({});

    await group.says(olga, '/antiraid 3h');
    expect(texts(group)).toEqual([
      'Raid protection until 15:00 UTC. Newcomers are removed for an hour.',
    ]);
    expect(group.listShown()[0]?.body['entities']).toMatchObject([
      { type: 'date_time', offset: 22, length: 9, date_time_format: 't' },
    ]);
    const notice = await group.joins(uma);

    expect(group.api.members.read(groupId, uma)).toMatchObject({
      status: 'kicked',
      until: Math.floor(group.server.now() / 1000) + 3600,
    });
    expect(group.isGone(notice)).toBe(true);
    expect(await group.check(uma)).toMatchObject({ state: 'removed', kind: 'raid' });

    await group.passes(3 * hour);
    expect(texts(group)).toEqual([
      expect.any(String),
      'Raid protection has ended. 1 person was turned away.',
    ]);
    expect(await readRaid(group.server)).toBeUndefined();
    await group.joins(vic);
    expect(group.status(vic)).toBe('member');
  });

  test('says so also when it ended while no server was there', async () => {
    const group = await startNewcomers({});
    await group.says(olga, '/antiraid 1h');
    await group.server.stopBot();

    const next = await group.continues();
    next.wait(2 * hour);
    await next.services.dueJobs.runDue();

    expect(texts(group)).toEqual([expect.any(String), 'Raid protection has ended.']);
    expect(await readRaid(next)).toBeUndefined();
  });

  test('a server that starts plans the end that another has not planned', async () => {
    const group = await startNewcomers({});
    await group.says(olga, '/antiraid 1h');
    await group.server.db.deleteFrom('due_jobs').where('kind', '=', 'raid-end').execute();
    await group.server.stopBot();

    const next = await group.continues();
    await expect
      .poll(() => next.services.dueJobs.find(`raid-end:raid_until:${groupId}`))
      .toBeDefined();
    next.wait(2 * hour);
    await next.services.dueJobs.runDue();

    expect(await readRaid(next)).toBeUndefined();
  });

  test('is switched off by hand', async () => {
    const group = await startNewcomers({});
    await group.says(olga, '/antiraid');
    expect(texts(group)).toEqual([
      'Raid protection until 18:00 UTC. Newcomers are removed for an hour.',
    ]);

    await group.says(bo, '/antiraid off');
    await group.joins(uma);
    await group.passes(7 * hour);

    expect(group.status(uma)).toBe('member');
    expect(texts(group).at(-1)).toBe('Raid protection is off.');
  });

  test.each([
    ['/antiraid 5m', 'Between 15 minutes and 7 days, or off: /antiraid 3h'],
    ['/antiraid 8d', 'Between 15 minutes and 7 days, or off: /antiraid 3h'],
    ['/autoraid', 'Raid protection does not begin by itself.'],
    ['/autoraid 15', 'Raid protection begins by itself when 15 people join within a minute.'],
    ['/autoraid 2', 'How many people in a minute, between 3 and 100, or off: /autoraid 15'],
  ])('%s', async (typed, answer) => {
    const group = await startNewcomers({});

    await group.says(olga, typed);

    expect(group.lastText()).toBe(answer);
  });

  test('names the day of an end that is not today', async () => {
    const group = await startNewcomers({});

    await group.says(olga, '/antiraid 2d');

    expect(group.lastText()).toBe(
      'Raid protection until 23 Nov, 12:00 UTC. Newcomers are removed for an hour.',
    );
  });

  test('is for administrators, and needs the right to ban', async () => {
    const group = await startNewcomers({});

    await group.says(ann, '/antiraid');
    expect(group.lastText()).toContain('Only administrators with the right');
    group.server.wait(2 * minute);
    group.group.botRights = ['delete'];
    await group.says(olga, '/antiraid');
    expect(group.lastText()).toContain('I need the right “Ban users”');
  });

  test('lets in whom an administrator adds, and touches no member', async () => {
    const group = await startNewcomers({});
    await group.says(olga, '/antiraid');

    await group.joins(uma, { by: bo });
    const message = await group.writes(ann);

    expect(group.status(uma)).toBe('member');
    expect(group.status(ann)).toBe('member');
    expect(group.isGone(message)).toBe(false);
  });

  test('a message that comes before the news of the join goes with it', async () => {
    const group = await startNewcomers({});
    await group.says(olga, '/antiraid');
    const joined = group.api.moves.join(groupId, uma);
    const message = await group.writes(uma);

    await group.hears(joined);
    const late = await group.writes(uma);

    expect(group.isGone(message)).toBe(true);
    expect(group.isGone(late)).toBe(true);
  });

  test('a ban that Telegram does not take is done later', async () => {
    const group = await startNewcomers({});
    await group.says(olga, '/antiraid');
    group.api.fail('banChatMember', { error_code: 500, description: 'Internal Server Error' });
    await group.joins(uma);
    expect(group.status(uma)).toBe('member');

    await group.passes(2 * minute);

    expect(group.status(uma)).toBe('kicked');
    expect(await group.count('raid_removed')).toBe(1);
  });
});

describe('many who join at once', () => {
  test('switch it on: those of the last minute who have not passed are out, too', async () => {
    const group = await startNewcomers({ captcha_mode: 'button', raid_auto: 4 });
    await group.joins(uma);
    await group.presses(uma, group.getQuestion(uma), 'I am a person');
    await group.joins(wes, { by: bo });

    const crowd = [newcomer(1), newcomer(2), newcomer(3), newcomer(4)];
    for (const person of crowd) {
      await group.joins(person);
    }

    expect(crowd.map((person) => group.status(person))).toEqual(crowd.map(() => 'kicked'));
    expect(group.status(uma)).toBe('member');
    expect(group.status(wes)).toBe('member');
    expect(texts(group)).toEqual([
      'Many people join at once. Raid protection until 18:00 UTC: newcomers are removed for an hour.',
    ]);
    expect(await group.count('raid_removed')).toBe(4);
    const change = await group.server.db
      .selectFrom('setting_changes')
      .select('changed_by')
      .orderBy('changed_at', 'desc')
      .execute();
    expect(change.map(({ changed_by: by }) => by)).toContain(group.api.bot.id);
  });

  test('but not when they come one after the other', async () => {
    const group = await startNewcomers({ raid_auto: 3 });
    for (const person of [1, 2, 3, 4].map(newcomer)) {
      await group.joins(person);
      group.server.wait(minute / 2);
    }

    expect(await readRaid(group.server)).toBeUndefined();
    expect(group.status(newcomer(4))).toBe('member');
  });

  test('nor because of those whom an administrator adds', async () => {
    const group = await startNewcomers({ raid_auto: 3 });
    for (const person of [1, 2, 3, 4].map(newcomer)) {
      await group.joins(person, { by: bo });
    }

    expect(await readRaid(group.server)).toBeUndefined();
  });

  test('it is said once, although several are heard of at the same moment', async () => {
    const group = await startNewcomers({ raid_auto: 3 });
    const crowd = [1, 2, 3, 4, 5, 6, 7, 8].map(newcomer);
    for (const person of crowd) {
      group.api.updates.push(group.api.moves.join(groupId, person));
    }
    await group.settled();

    await expect
      .poll(() => crowd.filter((person) => group.status(person) !== 'kicked'))
      .toEqual([]);
    expect(texts(group)).toHaveLength(1);
    await group.passes(7 * hour);
    expect(texts(group).slice(1)).toEqual([
      'Raid protection has ended. 8 people were turned away.',
    ]);
  });
});

test.each([
  ['', 0],
  [' at once, though the clock of the device is ahead', 5 * minute],
])('under attack newcomers are turned away%s, and the end says how many', async (_how, aheadMs) => {
  const group = await startNewcomers({ welcome: false });
  const now = group.server.now();
  await group.set({ attack: { since: now + aheadMs, until: now + 24 * hour } });
  expect(await group.server.services.joining.holdsNewcomers(groupId)).toBe(true);

  await group.joins(uma);
  await group.joins(vic, { by: bo });
  expect(group.status(uma)).toBe('kicked');
  expect(group.status(vic)).toBe('member');

  await group.passes(24 * hour);

  expect(texts(group)).toEqual([
    'The protection against an attack has ended. 1 person was turned away.',
  ]);
  expect(await group.server.services.joining.holdsNewcomers(groupId)).toBe(false);
});
