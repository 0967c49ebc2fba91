/** What the group and the administrators read of a report, and of what is done by it, and how that is undone. */
import { expect, test } from 'vitest';

import { ann, bo, channelId, continueWith, cy, dan, olga, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';

/** Dan has reported a message of Ann, in a topic; the report is in the log channel. */
async function startReported() {
  const group = await startGroup({ group: { isForum: true } });
  const { api, says, set } = group;
  api.addChat({ id: channelId, type: 'channel', title: 'Log', administrators: [bo] });
  await set({ log_channel: { id: channelId, title: 'Log' }, log_categories: ['reports'] });
  await says(dan, '/report', { to: ann, topicId: 77 });
  const report = api.messages.find(({ to }) => to === channelId);
  return { ...group, showReport: () => report && api.show(report)?.text };
}

test.each([
  ['Mute', { said: 'Ann is muted for 1 day.', buttons: [['Undo']], status: 'restricted' }],
  ['Ban', { said: 'Ann is banned.', buttons: [['Undo'], ['Delete messages']], status: 'kicked' }],
])('%s by a report is told in the group, with Undo', async (label, expected) => {
  const { api, press } = await startReported();
  await press([bo, label]);
  expect(api.members.read(groupId, ann).status).toBe(expected.status);

  const told = api.messages.find(({ text }) => text === expected.said);
  expect(told).toMatchObject({ to: groupId, body: { message_thread_id: 77 } });
  expect(told?.ephemeral).toBeUndefined();
  expect(told && api.show(told)?.buttons).toEqual(expected.buttons);

  expect((await press([bo, 'Undo'])).answers).toEqual(['Undone.']);
  expect(api.members.read(groupId, ann).status).not.toBe(expected.status);
});

test('where actions are quiet, only who has dealt with the report is told, with Undo', async () => {
  const { api, says, set, press } = await startGroup({ group: { administrators: [bo] } });
  await set({ quiet_actions: true });
  await says(dan, '/report', { to: ann });
  const { shown } = await press([bo, 'Mute']);

  expect(shown).toMatchObject({ text: 'Ann was muted for a day by Bo.', buttons: [['Undo']] });
  expect(api.messages.filter(({ ephemeral }) => ephemeral === undefined)).toEqual([]);
  const undone = await press([bo, 'Undo']);
  expect(undone.answers).toEqual(['Undone.']);
  expect(undone.shown?.text).toBe('Ann may write again.\n\nUndone by Bo.');
  expect(api.members.read(groupId, ann).status).toBe('member');
});

test('a report in a basic group has no link: it is a reply to the message', async () => {
  const { api, says, toMessage } = await startGroup({ group: { type: 'group' } });
  const reported = toMessage(ann);
  await says(dan, '/report', { fields: { reply_to_message: reported } });

  expect(api.messages.slice(0, -1)).toMatchObject(
    [olga, bo, cy].map((to) => ({
      text: 'Dan reports Ann.',
      ephemeral: { to },
      body: { reply_parameters: { message_id: reported.message_id } },
    })),
  );
});

test('a press that the next server handles once more deals with the report once', async () => {
  const group = await startReported();
  const { api, press, server } = group;
  api.fail('sendMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 600',
    parameters: { retry_after: 600 },
  });
  const before = api.callsTo('sendMessage').length;
  void press([bo, 'Ban']).catch(() => undefined);
  // Ann is banned, and the group does not know it yet.
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(before + 1);
  await continueWith({ api, server });

  expect(api.messages.filter(({ text }) => text === 'Ann is banned.')).toHaveLength(1);
  expect(group.showReport()).toBe('Ann was banned by Bo.');
  expect(api.callsTo('banChatMember')).toHaveLength(1);
  expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual(['ban', 'report']);
});
