/** The story of moderation: a spammer is warned and muted in the group, and the owner takes it back on the dashboard. */
import {
  type Container,
  expect,
  type Nori,
  stayLoggedIn,
  test as base,
  thoroughIf,
} from '#tests/e2e';
import { startNori } from '#tests/e2e-server';

/** The bot hears what is written. */
const test = base.extend<object, { readonly nori: Nori }>({
  nori: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter.
    async ({}, use) => {
      const nori = await startNori({ BOT_MODE: 'polling' });
      await use(nori);
      await nori.close();
    },
    { scope: 'worker' },
  ],
});

type Group = {
  readonly chatId: number;
  readonly owner: number;
  readonly spammer: number;
};

type Written = {
  readonly from: number;
  readonly name: string;
  readonly text: string;
  /** Further fields of the message. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

let lastMessageId = 7000;

/** What a person writes in the group; a command is marked as Telegram does. */
function write({ botApi }: Nori, { chatId }: Group, { from, name, text, fields }: Written) {
  lastMessageId += 1;
  const command = /^\/\w+/.exec(text)?.[0];
  const message = {
    message_id: lastMessageId,
    date: Math.floor(Date.now() / 1000),
    chat: { id: chatId, type: 'supergroup', title: 'Otters' },
    from: { id: from, is_bot: false, first_name: name, language_code: 'en' },
    text,
    ...(command && { entities: [{ type: 'bot_command', offset: 0, length: command.length }] }),
    ...fields,
  };
  botApi.updates.push({ message });
  return message;
}

/** The owner answers spam with a warning. */
function warn(nori: Nori, group: Group): void {
  const spam = write(nori, group, { from: group.spammer, name: 'Ann', text: 'Buy!' });
  write(nori, group, {
    from: group.owner,
    name: 'Olga',
    text: '/warn spam',
    fields: { reply_to_message: spam },
  });
}

const writtenIn = ({ botApi }: Nori, chatId: number) =>
  botApi.messages.filter(({ to }) => to === chatId).map(({ text }) => text);

for (const container of ['browser', 'ios', 'weba'] satisfies Container[]) {
  test(
    `a spammer is muted at the third warning, and the owner takes it back, in: ${container}`,
    thoroughIf(container === 'weba'),
    async ({ open, page, nori, unique, expected }) => {
      // The test kills the server while the page is open.
      expected.push(
        /ERR_(?:CONNECTION_(?:REFUSED|RESET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING) .*\/(?:assets|backend)\//,
      );
      const member = await nori.member(unique());
      const group = {
        chatId: -1_000_000_000_000 - unique(),
        owner: member.telegramId,
        spammer: unique(),
      };
      const { chatId, owner, spammer } = group;
      const channelId = -1_000_000_000_000 - unique();
      await nori.chat(member, chatId, 'Otters');
      nori.botApi.addChat({ id: chatId, title: 'Otters', creator: owner, members: [spammer] });
      nori.botApi.addChat({ id: channelId, type: 'channel', title: 'Otter log', creator: owner });
      await stayLoggedIn(page, member);
      // An event before the page is connected reaches it only with its next request.
      const isListening = page.waitForResponse((response) => response.url().endsWith('/events'));
      const { app, reload } = await open({
        container,
        telegramId: owner,
        path: `/dashboard?chat=${chatId}&section=moderation`,
      });
      await isListening;
      const done = app.getByRole('list', { name: 'What was done in the last 90 days' });

      await test.step('the log channel is set by a forwarded message', async () => {
        const channel = { id: channelId, type: 'channel', title: 'Otter log' };
        write(nori, group, {
          from: owner,
          name: 'Olga',
          text: '/setlog',
          fields: { forward_origin: { type: 'channel', date: 1, chat: channel, message_id: 5 } },
        });
        await app.getByRole('tab', { name: 'Log and commands' }).click();
        await expect(app.getByText('Otter log')).toBeVisible();
        await app.getByRole('tab', { name: 'Moderation' }).click();
        await expect(app.getByText('Nothing was done in the last 90 days.')).toBeVisible();
      });

      await test.step('two warnings appear on the open page by themselves', async () => {
        warn(nori, group);
        await expect(done.getByRole('listitem')).toHaveCount(1);
        warn(nori, group);
        await expect(done.getByRole('listitem')).toHaveCount(2);
        await expect(app.getByText('2 of 3', { exact: true })).toBeVisible();
        expect(nori.botApi.members.read(chatId, spammer)).toMatchObject({ status: 'member' });
      });

      await test.step('the third mutes, in the group and on the page', async () => {
        warn(nori, group);
        await expect(done.getByText(/^\S+ muted Ann until /)).toBeVisible();
        await expect
          .poll(() => nori.botApi.members.read(chatId, spammer))
          .toMatchObject({ status: 'restricted' });
        await expect
          .poll(() => writtenIn(nori, chatId))
          .toContain('Ann: warning 3 of 3. Reason: spam\nAnn is muted for 1 day.');
      });

      await test.step('the owner takes the mute back by keyboard, and the group hears it', async () => {
        const undo = done.getByRole('button', { name: /^Undo: \S+ muted Ann/ });
        await undo.focus();
        await undo.press('Enter');
        await expect(done.getByText(/^\S+ unmuted Ann\./)).toBeVisible();
        await expect
          .poll(() => nori.botApi.members.read(chatId, spammer))
          .toMatchObject({ status: 'member' });
        await expect
          .poll(() => writtenIn(nori, chatId).at(-1))
          .toMatch(/^Ann may write again: .* has undone the mute\.$/);
      });

      await test.step('the log has it', async () => {
        await expect
          .poll(() => writtenIn(nori, channelId))
          .toEqual(
            expect.arrayContaining([
              expect.stringMatching(/^Otters – Mute: Ann \(\d+\) by .*For 1 day\./),
              expect.stringMatching(/^Otters – Unmute: Ann \(\d+\) by /),
            ]),
          );
      });

      await test.step('all of it is there after the server was killed', async () => {
        await nori.restart();
        await reload();
        await expect(done.getByText(/^\S+ muted Ann until /)).toBeVisible();
        await expect(done.getByText(/^Undone: /)).toBeVisible();
        await expect(done.getByText(/^\S+ warned Ann\./)).toHaveCount(3);
      });
    },
  );
}
