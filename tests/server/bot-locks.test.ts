/** Kinds of message are blocked and allowed by command, as in the dashboard. */
import { expect, test } from 'vitest';

import { allMessageTypes, moreMessageTypes, settingName } from '#contract/chats/message-types';
import { createLanguageRepository } from '#server/db/languages';
import { acting, giveChats, manage, signIn } from '#tests/chats';
import {
  ann,
  anonymous,
  asChannel,
  bo,
  type CommandGroup,
  cy,
  dan,
  olga,
  startGroup,
} from '#tests/command-group';
import { samples } from '#tests/sample-messages';
import { standInLanguages } from '#tests/stand-in-languages';
import { collectEvents, groupId } from '#tests/test-bot';

const readBlocked = ({ server }: Pick<CommandGroup, 'server'>, topicId = 0) =>
  server.services.moderation.readBlockedTypes(groupId, topicId);

test('what is locked is deleted from the next message on, and stays again once it is unlocked', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await says(bo, '/lock sticker forward');
  expect(api.messages.at(-1)).toMatchObject({
    text: 'Blocked here: sticker, forward.',
    ephemeral: { to: bo },
  });

  const sticker = await says(ann, '', { fields: samples.sticker });
  await says(bo, '', { fields: samples.sticker });
  await says(ann, '', { fields: samples.photo });
  expect(api.deletions.of(groupId)).toEqual([sticker]);

  await says(bo, '/unlock sticker');
  expect(group.lastText()).toBe('Blocked here: forward.');
  await says(ann, '', { fields: samples.sticker });
  expect(api.deletions.of(groupId)).toEqual([sticker]);

  await says(bo, '/unlock all');
  expect(group.lastText()).toBe('Nothing is blocked here.');
  await says(bo, '/locks');
  expect(group.lastText()).toBe('Nothing is blocked here.');
});

test('the new kinds of this update are locked by their names', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await says(bo, '/lock channel_sender invite link');
  expect(group.lastText()).toBe('Blocked here: channel sender, invite link.');

  const inChannel = await says(dan, 'Hello', { fields: asChannel });
  await says(bo, 'Hello', { fields: anonymous });
  const invite = await says(ann, 'Join t.me/+AbCdEf');
  await says(ann, 'See t.me/otters');

  expect(api.deletions.of(groupId)).toEqual([inChannel, invite]);
});

test.each([
  ['gif', 'animation'],
  ['link', 'url'],
  ['LINKS', 'url'],
  ['file', 'document'],
  ['files', 'document'],
  ['video note', 'video_note'],
  ['"video note"', 'video_note'],
  ['“Video Note”', 'video_note'],
  ['video_note', 'video_note'],
  ['video-note', 'video_note'],
  ['video video note, voice', 'video voice video_note'],
  ['new member', 'new_member'],
])('/lock %s', async (typed, expected) => {
  const group = await startGroup();
  await group.says(bo, `/lock ${typed}`);

  expect(await readBlocked(group)).toEqual(expected.split(' '));
});

test('all leaves out what Telegram writes, unless it is unlocked', async () => {
  const group = await startGroup();
  await group.says(bo, '/lock all');
  const service = new Set<string>(moreMessageTypes.service);
  expect(await readBlocked(group)).toEqual(allMessageTypes.filter((type) => !service.has(type)));

  await group.says(bo, '/lock boost');
  await group.says(bo, '/unlock ALL');
  expect(await readBlocked(group)).toEqual([]);
});

test('kinds are named in the language of the group, or in English', async () => {
  const group = await startGroup({ languages: standInLanguages('ru') });
  const { says, server } = group;
  await createLanguageRepository(server.db).setChat(groupId, 'ru', server.now());

  await says(bo, '/lock <ru>video note</ru> <ru>sticker</ru> photo');

  expect(await readBlocked(group)).toEqual(['photo', 'video_note', 'sticker']);
  expect(group.lastText()).toMatch(/^<ru>lock\.blocked .*<ru>photo<\/ru> <ru>video note<\/ru>/);
  await says(bo, '/lock <ru>stikker</ru>');
  expect(group.lastText()).toBe('<ru>lock.didYouMean <ru>stikker</ru> <ru>sticker</ru></ru>');
});

test.each([
  ['stikker', 'No kind “stikker”. Did you mean sticker?'],
  ['sticker forwrad', 'No kind “forwrad”. Did you mean forward?'],
  ['vidoe note', 'No kind “vidoe”. Did you mean video?'],
  ['alll', 'No kind “alll”. Did you mean all?'],
  ['x', 'No kind “x”.'],
  ['elephant', 'No kind “elephant”.'],
  ['"pink elephants"', 'No kind “pink elephants”.'],
  ['x'.repeat(200), `No kind “${'x'.repeat(40)}”.`],
  ['', 'Which kinds? For example: /lock sticker forward. /locktypes lists all.'],
])('/lock %s is refused, and nothing is blocked', async (typed, said) => {
  const group = await startGroup();
  await group.says(bo, `/lock ${typed}`);

  expect(group.api.messages.at(-1)).toMatchObject({ text: said, ephemeral: { to: bo } });
  expect(await readBlocked(group)).toEqual([]);
});

test('/locktypes lists every kind as it is typed', async () => {
  const group = await startGroup();
  await group.says(bo, '/locktypes');

  expect(group.lastText()).toBe(`Kinds that can be blocked: ${allMessageTypes.join(', ')}.`);
});

test('a topic blocks for itself', async () => {
  const group = await startGroup({ group: { isForum: true } });
  const { api, says } = group;
  await says(bo, '/lock photo', { topicId: 7 });
  expect(group.lastText()).toBe('Blocked here: photo.');
  expect(api.messages.at(-1)?.body).toMatchObject({ message_thread_id: 7 });
  await says(bo, '/locks');
  expect(group.lastText()).toBe('Nothing is blocked here.');

  const inTopic = await says(ann, '', { topicId: 7, fields: samples.photo });
  await says(ann, '', { topicId: 8, fields: samples.photo });
  await says(ann, '', { fields: samples.photo });
  expect(api.deletions.of(groupId)).toEqual([inTopic]);
});

test('a group that is not in Nori yet becomes one; its owner claims it later and sees the locks', async () => {
  const group = await startGroup({ group: { isForum: true } });
  const { api, says, server } = group;
  await says(bo, '/lock photo');
  await says(bo, '/lock voice', { topicId: 7 });
  expect(await server.db.selectFrom('chat_managers').selectAll().execute()).toEqual([]);

  const me = await signIn(server, olga);
  await manage({ server, bot: api }, me, group.group);

  const { blocked, history } = acting(server, me);
  expect(await blocked()).toEqual({ '0': ['photo_blocked'], '7': ['voice_blocked'] });
  expect((await history()).changes.map(({ changed_by }) => changed_by.telegram_id)).toEqual([
    String(bo),
    String(bo),
  ]);
});

test('nothing becomes of a group in which nothing is locked', async () => {
  const group = await startGroup();
  await group.says(bo, '/unlock photo');
  await group.says(bo, '/locks');

  expect(group.lastText()).toBe('Nothing is blocked here.');
  expect(await group.server.db.selectFrom('chats').selectAll().execute()).toEqual([]);
});

test('open pages hear of a lock at once; the history has it, and the dashboard reverts it', async () => {
  const group = await startGroup();
  const { api, says, server } = group;
  const me = await signIn(server, olga);
  await giveChats(server, olga, [{ id: groupId, name: 'Otters', isDemo: false }]);
  const events = collectEvents(group);
  const { blocked, history, revert, toggle } = acting(server, me);

  await says(bo, '/lock photo video');
  expect(events).toMatchObject([
    {
      kind: 'settings',
      topics: { '0': { photo_blocked: true, video_blocked: true } },
      by: { telegram_id: String(bo), name: 'Bo' },
    },
  ]);
  // What is set already is no change.
  await says(bo, '/lock photo');
  const [change, ...more] = (await history()).changes;
  expect(more).toEqual([]);
  expect(change).toMatchObject({ kind: 'bulk', changed_by: { telegram_id: String(bo) } });

  await revert(change?.change_id ?? '', 'revert');
  expect(await blocked()).toEqual({ '0': [] });
  const photo = await says(ann, '', { fields: samples.photo });
  expect(api.deletions.of(groupId)).not.toContain(photo);

  // The other way round, a command shows what the dashboard has set.
  await toggle(settingName('dice'), true);
  await says(bo, '/locks');
  expect(group.lastText()).toBe('Blocked here: dice.');
});

test('locks are for those who may change the group, or manage it in Nori', async () => {
  const group = await startGroup({ group: { administratorRights: { [cy]: ['delete'] } } });
  const { says, server } = group;
  for (const from of [cy, dan]) {
    for (const text of ['/lock photo', '/unlock photo', '/locks', '/locktypes']) {
      await says(from, text);
      expect(group.lastText()).toBe(
        'Only administrators with the right “Change group info” can do this.',
      );
    }
  }
  expect(await readBlocked(group)).toEqual([]);

  await signIn(server, dan);
  await giveChats(server, dan, [{ id: groupId, isDemo: false }]);
  await says(dan, '/lock photo');
  expect(group.lastText()).toBe('Blocked here: photo.');
});

test('without the right to delete nothing is locked, and what is locked can still be read', async () => {
  const group = await startGroup({ group: { botMayDelete: false } });
  const { says } = group;
  await says(bo, '/lock photo');
  expect(group.lastText()).toBe(
    'I need the right “Delete messages” for this. Give it to me in the list of administrators.',
  );
  await says(bo, '/locks');
  expect(group.lastText()).toBe('Nothing is blocked here.');
});

test('a lock that is handled again is one change', async () => {
  const group = await startGroup();
  await group.says(bo, '/lock photo');
  await group.hearsAgain();

  expect(group.lastText()).toBe('Blocked here: photo.');
  expect(await group.server.db.selectFrom('setting_changes').selectAll().execute()).toHaveLength(1);
});

test('who may not write commands gets no answer', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await says(bo, '/lock bot_command');
  const before = api.messages.length;

  const command = await says(ann, '/warns');
  expect(api.messages).toHaveLength(before);
  expect(api.deletions.of(groupId)).toEqual([command]);
  await says(bo, '/locks');
  expect(api.messages).toHaveLength(before + 1);
});
