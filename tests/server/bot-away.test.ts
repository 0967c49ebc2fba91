/** Who is away: who is told and how often, when it ends, and that it ends for all processes. */
import { beforeEach, expect, test } from 'vitest';

import { sweep } from '#server/services/maintenance';
import {
  ann,
  anonymous,
  asChannel,
  bo,
  type CommandGroup,
  dan,
  personWith,
  startGroup,
} from '#tests/command-group';
import { minute } from '#tests/test-server';

const hour = 60 * minute;

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup();
});

const last = () => group.api.messages.at(-1);
const count = () => group.api.messages.length;
const mention = (text: string, name: string) => ({
  fields: {
    entities: [{ type: 'mention', offset: text.indexOf(name), length: name.length }],
  },
});
const names = (from: number, text: string, name = '@ann_otter') =>
  group.says(from, text, mention(text, name));

test('who names, mentions or answers somebody who is away is told why, and since when', async () => {
  await group.says(ann, '/afk "lunch, back at two"');
  expect(last()).toMatchObject({
    text: 'Ann is away, until they write in a group again. Reason: lunch, back at two',
  });
  group.server.wait(5 * minute);

  const asked = await names(dan, 'Where is @ann_otter?');
  expect(last()).toMatchObject({
    text: 'Ann has been away for 5 minutes. Reason: lunch, back at two',
    body: { reply_parameters: { message_id: asked } },
  });
  expect(last()?.ephemeral).toBeUndefined();
  await group.says(bo, 'Well?', { to: ann });
  expect(group.lastText()).toMatch(/^Ann has been away for 5 minutes\./);

  const ids = [2, 3];
  const waiting = await group.server.db.selectFrom('due_deletions').select('message_id').execute();
  expect(waiting.map(({ message_id: id }) => id)).toEqual(expect.arrayContaining(ids));
  expect(waiting.map(({ message_id: id }) => id)).not.toContain(asked);
});

test('each person is told once in ten minutes', async () => {
  await group.says(ann, '/afk');
  const before = count();
  await names(dan, 'Hello @ann_otter');
  await names(dan, 'Hello @ann_otter');
  await group.says(dan, 'Hello', { to: ann });
  expect(count()).toBe(before + 1);
  await names(bo, 'Hello @ann_otter');
  expect(count()).toBe(before + 2);
  group.server.wait(10 * minute);
  await names(dan, 'Hello @ann_otter');
  expect(count()).toBe(before + 3);
});

test('it ends with the next message, which welcomes them back', async () => {
  await group.says(ann, '/away lunch');
  await group.says(ann, 'Here I am');
  expect(group.lastText()).toBe('Welcome back, Ann.');
  const before = count();
  await group.says(ann, 'Really');
  await names(dan, 'Hello @ann_otter');
  expect(count()).toBe(before);
  await group.says(ann, '/afk again');
  await names(dan, 'Hello @ann_otter');
  expect(group.lastText()).toContain('Reason: again');
});

test('a command of theirs ends it, too, and one of others says nothing of who is away', async () => {
  await group.says(ann, '/afk');
  const typed = '/mute @ann_otter';
  const command = { type: 'bot_command', offset: 0, length: 5 };
  const [named] = mention(typed, '@ann_otter').fields.entities;
  await group.says(bo, typed, { fields: { entities: [command, named] } });
  expect(group.lastText()).toBe('Ann is muted.');
  const before = count();
  await group.says(ann, '/rules');
  expect(group.api.messages.slice(before).map(({ text }) => text)).toContain('Welcome back, Ann.');
});

test('a person who is named by a link, and one beside others', async () => {
  await group.says(ann, '/afk');
  await group.says(bo, '/afk meeting');
  const text = 'Ann, @bo_otter!';
  const entities = [
    { type: 'text_mention', offset: 0, length: 3, user: personWith(ann) },
    { type: 'mention', offset: 5, length: 9 },
  ];
  group.server.wait(2 * hour);
  await group.says(dan, text, { fields: { entities } });
  expect(group.lastText()).toBe(
    'Ann has been away for 2 hours.\nBo has been away for 2 hours. Reason: meeting',
  );
});

test('what is deleted tells nobody, and ends nothing', async () => {
  await group.says(bo, '/addblocklist casino');
  await group.says(ann, '/afk');
  await group.says(ann, 'casino');
  const before = count();
  await names(dan, 'casino @ann_otter');
  expect(group.api.messages.slice(before).map(({ text }) => text)).not.toContainEqual(
    expect.stringContaining('away'),
  );
  await names(bo, 'Hello @ann_otter');
  expect(group.lastText()).toContain('Ann has been away');
});

test('the longest reason has 140 signs; those who hide who they are have none', async () => {
  await group.says(ann, `/afk ${'x'.repeat(140)}`);
  expect(group.lastText()).toContain('x'.repeat(140));
  await group.says(ann, `/afk ${'x'.repeat(141)}`);
  expect(group.lastText()).toBe('At most 140 characters.');
  await group.says(bo, '/afk', { fields: anonymous });
  expect(group.lastText()).toBe('For this I have to know who you are. Write it in your own name.');
  await group.says(bo, '/afk', { fields: asChannel });
  expect(group.lastText()).toBe('For this I have to know who you are. Write it in your own name.');
});

test('after 30 days nobody is told any more, and the row is removed', async () => {
  await group.says(ann, '/afk');
  group.server.wait(30 * 24 * hour);
  const before = count();
  await names(dan, 'Hello @ann_otter');
  expect(count()).toBe(before);
  group.server.wait(1);
  await sweep(group.server.deps);
  expect(await group.server.db.selectFrom('away').selectAll().execute()).toEqual([]);
});

test('Forget me ends it', async () => {
  await group.says(ann, '/afk');
  await group.writes('/privacy', { chatId: ann, from: ann });
  await group.press([ann, 'Forget me']);
  expect(await group.server.db.selectFrom('away').selectAll().execute()).toEqual([]);
});
