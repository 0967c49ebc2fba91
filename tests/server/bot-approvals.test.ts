/** Approved members write what is blocked for others: from the next message on, on both databases. */
import { afterAll, describe, expect, test } from 'vitest';

import { type Database, openDatabase } from '#server/db/client';
import { memberRules } from '#server/lib/limits';
import {
  ann,
  asChannel,
  bo,
  channelId,
  type CommandGroup,
  cy,
  dan,
  olga,
  startGroup,
} from '#tests/command-group';
import { startPostgres } from '#tests/postgres';
import { samples } from '#tests/sample-messages';
import { collectEvents, groupId } from '#tests/test-bot';
import { minute, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const day = 24 * 60 * minute;

/** A group that blocks stickers. */
async function startBlocking(options: Parameters<typeof startGroup>[0] = {}) {
  const group = await startGroup(options);
  await group.says(olga, '/lock sticker');
  /** Writes a sticker; resolves with whether it is deleted. */
  const isDeleted = async (from: number) => {
    const id = await group.says(from, '', { fields: samples.sticker });
    return group.api.deletions.of(groupId).includes(id);
  };
  return { ...group, isDeleted };
}

const fill = ({ server }: Pick<CommandGroup, 'server'>, count: number) =>
  server.db
    .insertInto('approvals')
    .values(
      Array.from({ length: count }, (_one, index) => ({
        chat_id: groupId,
        telegram_id: 10_000 + index,
        by_id: bo,
        at: server.now(),
        until: null,
      })),
    )
    .execute();

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('an approval and its end count from the next message on', async () => {
    const group = await startBlocking({ database: await open() });
    const { api, says, isDeleted } = group;
    expect(await isDeleted(ann)).toBe(true);

    await says(bo, '/approve', { to: ann });
    expect(api.messages.at(-1)).toMatchObject({
      text: 'Ann is approved: what is blocked for others stays.',
      ephemeral: { to: bo },
    });
    expect(await isDeleted(ann)).toBe(false);
    expect(await isDeleted(dan)).toBe(true);

    await says(bo, '/unapprove @ann_otter');
    expect(group.lastText()).toBe('Ann is no longer approved.');
    expect(await isDeleted(ann)).toBe(true);
  });

  test('an approval for a time ends by the clock', async () => {
    const group = await startBlocking({ database: await open() });
    const { says, server, isDeleted } = group;
    await says(bo, '/approve 1h30m', { to: ann });
    expect(group.lastText()).toBe(
      'Ann is approved for 90 minutes: what is blocked for others stays.',
    );

    server.wait(90 * minute - 1);
    expect(await isDeleted(ann)).toBe(false);
    server.wait(1);
    expect(await isDeleted(ann)).toBe(true);
    await says(bo, '/approved');
    expect(group.lastText()).toBe('No one is approved here.');

    // Again sets another time, or none.
    await says(bo, '/approve 1h', { to: ann });
    await says(bo, '/approve', { to: ann });
    server.wait(2 * 60 * minute);
    expect(await isDeleted(ann)).toBe(false);
  });
});

test('an album and an edited message of an approved member stay, too', async () => {
  const { api, says } = await startBlocking();
  await says(bo, '/approve', { to: ann });
  const album = { ...samples.sticker, media_group_id: '7' };
  await says(ann, '', { fields: album });
  await says(ann, '', { fields: { ...album, edit_date: 2 } });

  expect(api.deletions.of(groupId)).toEqual([]);
});

test('the approved are listed, the newest first, with the end of their time', async () => {
  const group = await startBlocking();
  const { says, server } = group;
  const events = collectEvents(group);
  await says(bo, '/approve', { to: ann });
  server.wait(minute);
  await says(cy, '/approve 60d', { to: dan });
  await says(bo, '/approve 700700');

  await says(bo, '/approved');
  expect(group.lastText()).toBe('Approved here:\n• Dan, until 20 Jan 2027\n• 700700\n• Ann');
  expect(events.map(({ kind }) => kind)).toEqual(['approvals', 'approvals', 'approvals']);
});

test('a group has at most 500; one more is refused, and one of them can be approved again', async () => {
  const group = await startBlocking();
  const { says } = group;
  await says(bo, '/approve', { to: ann });
  await fill(group, memberRules.maxApprovals - 1);

  await says(bo, '/approve', { to: dan });
  expect(group.lastText()).toBe('At most 500 approved members.');
  await says(bo, '/approve 1d', { to: ann });
  expect(group.lastText()).toBe('Ann is approved for 1 day: what is blocked for others stays.');

  // Those whose time is over do not count.
  group.server.wait(day);
  await says(bo, '/approve', { to: dan });
  expect(group.lastText()).toBe('Dan is approved: what is blocked for others stays.');
});

test.each<[text: string, to: number | undefined, said: string]>([
  ['/approve', undefined, 'Whom? Reply to a message, or write @name or an ID.'],
  [
    '/approve @zoe_fox',
    undefined,
    'I have not seen @zoe_fox yet. Reply to one of their messages, or use their ID.',
  ],
  ['/approve', cy, 'Cy is an administrator. I leave administrators alone.'],
  ['/approve', bo, 'That would be you.'],
  ['/approve 123456789', undefined, 'That would be me.'],
  ['/approve @Nori_Test_Bot', undefined, 'That would be me.'],
  [`/approve ${channelId}`, undefined, 'A channel can only be banned.'],
  ['/approve 29s', ann, 'Between 30 seconds and 366 days: 30m, 2h, 3d, 1w.'],
  ['/approve 367d', ann, 'Between 30 seconds and 366 days: 30m, 2h, 3d, 1w.'],
  ['/unapprove', undefined, 'Whom? Reply to a message, or write @name or an ID.'],
  ['/unapprove', ann, 'Ann is not approved.'],
])('%s (to %s) is refused', async (text, to, said) => {
  const { api, says, server } = await startGroup();
  await says(bo, text, to === undefined ? {} : { to });

  expect(api.messages.map((message) => [message.text, message.ephemeral?.to])).toEqual([
    [said, bo],
  ]);
  expect(await server.db.selectFrom('approvals').selectAll().execute()).toEqual([]);
});

test('who writes as a channel is not approved', async () => {
  const { says, toMessage, lastText, server } = await startGroup();
  await says(bo, '/approve', { fields: { reply_to_message: toMessage(dan, asChannel) } });

  expect(lastText()).toBe('A channel can only be banned.');
  expect(await server.db.selectFrom('approvals').selectAll().execute()).toEqual([]);
});

test('while Telegram does not say who is an administrator, no one is approved', async () => {
  const { api, says, lastText, server } = await startGroup();
  api.fail('getChatAdministrators', { error_code: 500, description: 'Internal Server Error' });
  await says(bo, '/approve', { to: ann });

  expect(lastText()).toBe('Telegram does not answer right now. Try again in 5 seconds.');
  expect(await server.db.selectFrom('approvals').selectAll().execute()).toEqual([]);
});

test('approvals are for those who may ban', async () => {
  const group = await startBlocking({ group: { administratorRights: { [cy]: ['delete'] } } });
  for (const from of [cy, dan]) {
    for (const text of ['/approve', '/unapprove', '/approved']) {
      await group.says(from, text, { to: ann });
      expect(group.lastText()).toBe('Only administrators with the right “Ban users” can do this.');
    }
  }
});

test('an approval that is handled again is one', async () => {
  const group = await startGroup();
  await group.says(bo, '/approve', { to: ann });
  await group.hearsAgain();

  expect(group.lastText()).toBe('Ann is approved: what is blocked for others stays.');
  expect(await group.server.db.selectFrom('approvals').selectAll().execute()).toHaveLength(1);
});

test('while Telegram does not say who is an administrator, the message of an approved member waits for no one', async () => {
  const group = await startBlocking();
  const { api, says, server, isDeleted } = group;
  await says(bo, '/approve', { to: ann });
  server.services.memberCommands.rights.forget(groupId);
  api.fail('getChatAdministrators', { error_code: 500, description: 'Internal Server Error' });

  expect(await isDeleted(ann)).toBe(false);
  server.wait(minute);
  await server.services.deletions.deleteDue();
  expect(
    await server.db
      .selectFrom('due_deletions')
      .selectAll()
      .where('setting', 'is not', null)
      .execute(),
  ).toEqual([]);
});
