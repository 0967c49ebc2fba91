/** What is written in the log channel besides actions: approvals, deleted messages and settings, each once. */
import { expect, test } from 'vitest';

import { removeApproval } from '#contract/endpoints/chat-members';
import { setChatLanguage } from '#contract/endpoints/chats';
import { giveChats, signIn } from '#tests/chats';
import {
  ann,
  bo,
  channelId,
  type CommandGroup,
  dan,
  olga,
  personWith,
  startGroup,
} from '#tests/command-group';
import { standInLanguages } from '#tests/stand-in-languages';
import { administrator, groupId, left, moved } from '#tests/test-bot';

const channel = { id: channelId, type: 'channel', title: 'Otter log' } as const;
const log = { id: channelId, title: 'Otter log' };

/** Olga manages the group in Nori, Bo is its only other administrator, and all have written something. */
async function startLogged(...categories: readonly string[]) {
  const languages = standInLanguages('de');
  const group = await startGroup({ group: { administrators: [bo] }, languages });
  const { api, server, says, set, hears } = group;
  api.addChat({ ...channel, administrators: [bo] });
  await hears(moved(left, administrator, personWith(olga)));
  const me = await signIn(server, olga);
  await giveChats(server, olga, [{ id: groupId, name: 'Otters', isDemo: false }]);
  for (const person of [olga, bo, ann]) {
    await says(person, 'Hello');
  }
  await set({ log_channel: log, log_categories: categories });
  return { ...group, me };
}

/** The lines in the channel when all are written. */
async function listLines({ api, server }: Pick<CommandGroup, 'api' | 'server'>) {
  await server.services.dueJobs.runDue();
  return api.messages.filter(({ to }) => to === channelId).map(({ text }) => text);
}

test('approvals are written there, also when one is ended on the dashboard', async () => {
  const group = await startLogged('members');
  const { says, server, me } = group;
  await says(bo, '/approve 1h', { to: ann });
  await says(bo, '/unapprove', { to: ann });
  await says(bo, '/unapprove', { to: ann });
  await says(olga, '/approve', { to: ann });
  await server.call(removeApproval, { chat_id: groupId, telegram_id: ann }, me);

  expect(await listLines(group)).toEqual([
    `Otters – Approved: Ann (${ann}) by Bo. For 1 hour.`,
    `Otters – No longer approved: Ann (${ann}) by Bo.`,
    `Otters – Approved: Ann (${ann}) by Olga.`,
    `Otters – No longer approved: Ann (${ann}) by Olga.`,
  ]);
});

test('messages that administrators delete are written there, by command and by button', async () => {
  const group = await startLogged('messages');
  const { api, says, press } = group;
  await says(bo, '/del', { to: ann });
  await says(dan, '/report', { to: ann });
  await press([bo, 'Delete']);
  await says(bo, '/ban', { to: ann });
  await press([bo, 'Delete messages']);

  const deleted = `Otters – Message deleted: Ann (${ann}) by Bo.`;
  expect(await listLines(group)).toEqual([deleted, deleted, 'Otters – Purge: 1 message by Bo.']);
  expect(api.deletions.gone(groupId).length).toBeGreaterThan(3);
});

test('what is switched off is not written', async () => {
  const group = await startLogged('settings');
  const { says } = group;
  await says(bo, '/approve', { to: ann });
  await says(bo, '/del', { to: ann });

  expect((await listLines(group)).filter((line) => line.includes('Ann'))).toEqual([]);
});

test('another language of the bot is a change of the settings', async () => {
  const group = await startLogged('settings');
  const { server, me } = group;
  const change = { chat_id: groupId, language: 'de' } as const;
  expect((await server.call(setChatLanguage, change, me)).status).toBe(204);

  await expect
    .poll(() => listLines(group))
    .toContain('<de>log.inGroup Otters <de>log.settings 1 Olga</de></de>');
});

test.each<[text: string, line: string | undefined]>([
  ['/setlog', 'Settings: 1 change by Bo.'],
  ['/unsetlog', undefined],
  ['/approve', `Approved: Ann (${ann}) by Bo.`],
  ['/del', `Message deleted: Ann (${ann}) by Bo.`],
  ['/purge', 'Purge: 1 message by Bo.'],
])('%s that is handled again is one', async (text, line) => {
  const group = await startGroup();
  group.api.addChat({ ...channel, administrators: [bo] });
  const isSetting = text === '/setlog';
  const fields = { forward_origin: { type: 'channel', chat: channel, message_id: 7, date: 0 } };
  if (!isSetting) {
    // Without lines about the settings themselves.
    await group.set({ log_channel: log, log_categories: ['members', 'messages'] });
  }
  await group.says(bo, text, isSetting ? { fields } : { to: ann });
  const lines = line === undefined ? [] : [`${groupId} – ${line}`];
  await expect.poll(() => listLines(group)).toEqual(lines);

  const server = await group.hearsAgain();

  expect(await listLines({ ...group, server })).toEqual(lines);
  const values = await server.services.chatValues.readForBot(groupId);
  expect([...values.values()].map((some) => some.get('log_channel'))).toEqual(
    text === '/unsetlog' ? [undefined] : [log],
  );
});
