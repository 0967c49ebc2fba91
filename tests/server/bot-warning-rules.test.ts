/** The rules of warnings, as administrators read and change them by command. */
import { expect, test } from 'vitest';

import { listChanges } from '#contract/endpoints/chat-changes';
import { giveChats, signIn } from '#tests/chats';
import { bo, cy, olga, startGroup } from '#tests/command-group';
import { collectEvents, groupId } from '#tests/test-bot';

test.each([
  ['/warnmode', 'At 3 warnings a member is muted for 1 day. A warning counts for 30 days.'],
  ['/warnlimit', 'At 3 warnings a member is muted for 1 day. A warning counts for 30 days.'],
  [
    '/warnmode MUTE 90m',
    'At 3 warnings a member is muted for 90 minutes. A warning counts for 30 days.',
  ],
  ['/warnmode mute', 'At 3 warnings a member is muted for good. A warning counts for 30 days.'],
  [
    '/warnmode ban 1d12h',
    'At 3 warnings a member is banned for 36 hours. A warning counts for 30 days.',
  ],
  ['/warnmode ban', 'At 3 warnings a member is banned for good. A warning counts for 30 days.'],
  ['/warnmode kick', 'At 3 warnings a member is removed. A warning counts for 30 days.'],
  ['/warnlimit 1', 'At 1 warning a member is muted for 1 day. A warning counts for 30 days.'],
  ['/warnlimit 20', 'At 20 warnings a member is muted for 1 day. A warning counts for 30 days.'],
  ['/warntime 1d', 'At 3 warnings a member is muted for 1 day. A warning counts for 1 day.'],
  ['/warntime 365d', 'At 3 warnings a member is muted for 1 day. A warning counts for 365 days.'],
  [
    '/warntime OFF',
    'At 3 warnings a member is muted for 1 day. A warning counts until it is taken back.',
  ],
  ['/warnlimit 0', 'A number between 1 and 20: /warnlimit 3'],
  ['/warnlimit 21', 'A number between 1 and 20: /warnlimit 3'],
  ['/warnlimit three', 'A number between 1 and 20: /warnlimit 3'],
  ['/warntime 23h', 'Between 1 day and 1 year, or off: /warntime 30d'],
  ['/warntime 366d', 'Between 1 day and 1 year, or off: /warntime 30d'],
  ['/warntime soon', 'Between 1 day and 1 year, or off: /warntime 30d'],
  ['/warnmode mute 29s', 'Between 30 seconds and 366 days: 30m, 2h, 3d, 1w.'],
  ['/warnmode ban 367d', 'Between 30 seconds and 366 days: 30m, 2h, 3d, 1w.'],
  ['/warnmode kick 1d', '/warnmode mute 1d, /warnmode ban or /warnmode kick'],
  ['/warnmode mute soon', '/warnmode mute 1d, /warnmode ban or /warnmode kick'],
  ['/warnmode shout', '/warnmode mute 1d, /warnmode ban or /warnmode kick'],
])('%s: %s', async (text, expected) => {
  const group = await startGroup();
  await group.says(bo, text);

  expect(group.api.messages.at(-1)).toMatchObject({ text: expected, ephemeral: { to: bo } });
});

test('the rules are read and changed also where the bot may ban no one', async () => {
  const { says, lastText } = await startGroup({ group: { botRights: ['delete'] } });
  await says(bo, '/warnmode');
  expect(lastText()).toBe(
    'At 3 warnings a member is muted for 1 day. A warning counts for 30 days.',
  );
  await says(bo, '/warnlimit 5');
  expect(lastText()).toBe(
    'At 5 warnings a member is muted for 1 day. A warning counts for 30 days.',
  );
});

test('a new rule is on open pages and in the history, where it can be told who made it', async () => {
  const group = await startGroup({ group: { administratorRights: { [cy]: ['restrict'] } } });
  const { says, server } = group;
  const me = await signIn(server, olga);
  await giveChats(server, olga, [{ id: groupId, name: 'Otters', isDemo: false }]);
  const events = collectEvents(group);

  await says(cy, '/warnlimit 5');
  expect(group.lastText()).toBe(
    'Only administrators with the right “Change group info” can do this.',
  );
  await says(bo, '/warnlimit 5');
  await says(bo, '/warnlimit 5');

  expect(events.filter(({ kind }) => kind === 'values')).toMatchObject([
    { values: { chat: { warn_limit: 5 } }, by: { telegram_id: String(bo) } },
  ]);
  const history = await server.call(listChanges, { chat_id: groupId }, me);
  expect(history.body).toMatchObject({
    changes: [{ kind: 'values', changed_by: { telegram_id: String(bo) } }],
  });
});

test('a rule that is handled again is one change', async () => {
  const group = await startGroup();
  const events = collectEvents(group);
  await group.says(bo, '/warnlimit 5');
  await group.hearsAgain();

  expect(group.lastText()).toBe(
    'At 5 warnings a member is muted for 1 day. A warning counts for 30 days.',
  );
  expect(events.filter(({ kind }) => kind === 'values')).toHaveLength(1);
  const changes = await group.server.db.selectFrom('setting_changes').select('id').execute();
  expect(changes).toHaveLength(1);
});

test.each(['warnmode ban', 'warnlimit 5', 'warntime 2d'])(
  'while Telegram does not answer, /%s says when to try again',
  async (typed) => {
    const group = await startGroup();
    group.api.fail('getChatAdministrators', {
      error_code: 500,
      description: 'Internal Server Error',
    });
    await group.says(bo, `/${typed}`);

    expect(group.lastText()).toBe('Telegram does not answer right now. Try again in 5 seconds.');
    expect(await group.server.db.selectFrom('setting_changes').select('id').execute()).toEqual([]);
  },
);
