/** The health of a chat: what the page says about the bot, and the button that helps. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { type ChatHealth, chatActivity, readChatHealth } from '#contract/endpoints/chat-activity';
import { readCapabilities } from '#contract/endpoints/site';
import { button, choose, openSettings } from '#tests/open-settings';

const fine: ChatHealth = {
  bot: 'nori_bot',
  is_listening: true,
  is_in: true,
  may_delete: true,
  sees_all: true,
  is_forum: true,
  checked_at: 1,
};

/** The settings of a chat with this health. */
async function openWith(health: ChatHealth, { launch = false } = {}) {
  const app = await openSettings({ launch });
  app.server.refuse(readCapabilities, { status: 200, body: { capabilities: [chatActivity] } });
  app.server.refuse(readChatHealth, { status: 200, body: health });
  await app.reload();
  return app;
}

/** The same, with the details of the chat's state open. */
async function openDetails(...settings: Parameters<typeof openWith>) {
  const app = await openWith(...settings);
  await app.user.click(await pill());
  await details();
  return app;
}

/** The state in a few words, beside the chat's name. */
const pill = async (name?: string) => {
  const state = await screen.findByRole('heading', { level: 2 });
  return waitFor(() =>
    within(state.closest('header') ?? state).getByRole('button', {
      name: name ?? /^(?!Back to List|Menu|Checking)/,
    }),
  );
};
const details = () => screen.findByRole('dialog', { name: 'The bot in this chat' });
const facts = async () =>
  within(await details())
    .getAllByRole('listitem')
    .map((item) => item.textContent);

const demo = 'demo: no bot connected';

describe('the health of a chat', () => {
  test('that is good is shown in words, without a button', async () => {
    const app = await openWith(fine);

    await app.user.click(await pill('All good'));
    expect(await screen.findByText('All good: what you block is deleted.')).toBeVisible();
    expect(await facts()).toEqual([
      'In the chat',
      'May delete',
      'Sees all members',
      'Topics are on',
    ]);
    expect(within(await details()).queryByRole('link')).toBeNull();
    await app.user.click(within(await details()).getByRole('button', { name: 'Close' }));
    expect(await pill('All good')).toHaveFocus();
  });

  test.each([
    {
      wrong: { is_in: false, may_delete: false, sees_all: false, is_forum: false },
      short: 'Not in the chat: Add the bot',
      said: 'Nothing is deleted until @nori_bot is in the chat.',
      helps: 'Add the bot',
      shown: ['Not in the chat', 'May not delete', 'Misses messages', 'Topics are off'],
    },
    {
      wrong: { may_delete: false },
      short: 'May not delete: Give the right',
      said: '@nori_bot needs the right “Delete messages”.',
      helps: 'Give the right',
      shown: ['In the chat', 'May not delete', 'Sees all members', 'Topics are on'],
    },
    {
      wrong: { sees_all: false },
      short: 'Misses messages: Make it admin',
      said: 'Make @nori_bot an administrator, or turn its privacy mode off.',
      helps: 'Make it admin',
      shown: ['In the chat', 'May delete', 'Misses messages', 'Topics are on'],
    },
  ])('that is not good has one button: $helps', async ({ wrong, short, said, helps, shown }) => {
    const { user } = await openWith({ ...fine, ...wrong });
    await user.click(await pill(short));

    expect(await screen.findByText(said)).toBeVisible();
    expect(await facts()).toEqual(shown);
    const ways = within(await details()).getAllByRole('link');
    expect(ways).toHaveLength(1);
    expect(ways[0]).toHaveTextContent(helps);
    expect(ways[0]).toHaveAttribute(
      'href',
      'https://t.me/nori_bot?startgroup=settings&admin=delete_messages+restrict_members+invite_users+pin_messages+manage_topics',
    );
  });

  test('comes with what no bot can do', async () => {
    const { user } = await openDetails(fine);

    await user.click(await screen.findByText('What Telegram lets no bot do'));

    const shown = await details();
    expect(shown).toHaveTextContent('older than 48 hours');
    expect(shown).toHaveTextContent('longer than 24 hours');
    expect(shown).toHaveTextContent('Bot-to-Bot Communication Mode');
  });

  test('is repaired by Telegram’s own dialog, inside Telegram', async () => {
    const app = await openDetails({ ...fine, is_in: false }, { launch: true });

    await app.user.click(await screen.findByRole('link', { name: 'Add the bot' }));

    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_open_tg_link',
      data: {
        path_full:
          '/nori_bot?startgroup=settings&admin=delete_messages+restrict_members+invite_users+pin_messages+manage_topics',
      },
    });
  });

  test.each([
    {
      wrong: { bot: null, is_listening: false, is_in: false, may_delete: false, sees_all: false },
      short: demo,
      said: 'This server has no bot: your choices are kept, but nothing is deleted.',
      factCount: 0,
    },
    {
      wrong: { is_listening: false },
      short: 'Bot is off',
      said: 'The bot of this server does not listen: your choices are kept, but nothing is deleted.',
      factCount: 4,
    },
  ])('on a server that deletes nothing says so: $short', async ({ wrong, ...found }) => {
    const { short, said, factCount } = found;
    const { user } = await openWith({ ...fine, ...wrong });
    await user.click(await pill(short));

    expect(await screen.findByText(said)).toBeVisible();
    expect(within(await details()).queryAllByRole('listitem')).toHaveLength(factCount);
    expect(within(await details()).queryByRole('link')).toBeNull();
    await waitFor(() => expect(screen.getAllByRole('switch')).toHaveLength(27));
  });
});

describe('reading the health', () => {
  test('is shown while it lasts', async () => {
    const app = await openSettings();
    app.server.refuse(readCapabilities, { status: 200, body: { capabilities: [chatActivity] } });
    const release = app.server.hang(readChatHealth);
    await app.reload();

    await app.user.click(await pill(demo));
    expect(await screen.findByText('Asking Telegram about the bot...')).toBeVisible();
    app.server.refuse(readChatHealth, { status: 200, body: fine });
    release();
  });

  test('that fails does not affect the settings, and can be tried again', async () => {
    const app = await openSettings();
    app.server.refuse(readCapabilities, { status: 200, body: { capabilities: [chatActivity] } });
    app.server.refuse(readChatHealth, { status: 400, body: { detail: 'no' } });
    await app.reload();

    await app.user.click(await pill('State unknown: Try again'));
    expect(
      await screen.findByText('The bot’s rights in this chat could not be read.'),
    ).toBeVisible();
    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeEnabled();
    app.server.refuse(readChatHealth, { status: 200, body: fine });
    await app.user.click(await button('Try again'));

    expect(await screen.findByText('All good: what you block is deleted.')).toBeVisible();
  });

  test('that fails later keeps the old facts, and says that they are old', async () => {
    const app = await openWith(fine);
    await pill('All good');
    app.server.refuse(readChatHealth, { status: 400 });

    await choose(app, 'Refresh settings');

    await app.user.click(await pill('State unknown: Try again'));
    expect(
      await screen.findByText('Telegram does not answer: this is how it was before.'),
    ).toBeVisible();
    expect(await facts()).toHaveLength(4);
    expect(screen.queryByText('All good: what you block is deleted.')).toBeNull();
  });

  test('happens again when the user returns from Telegram', async () => {
    const app = await openDetails({ ...fine, may_delete: false });
    await screen.findByRole('link', { name: 'Give the right' });
    app.server.refuse(readChatHealth, { status: 200, body: fine });

    window.dispatchEvent(new Event('focus'));

    expect(await screen.findByText('All good: what you block is deleted.')).toBeVisible();
  });

  test('is left out on a server without this call', async () => {
    const app = await openSettings();
    await pill(demo);
    await waitFor(() => expect(app.server.requestsTo(readChatHealth)).not.toHaveLength(0));
    const before = app.server.requestsTo(readChatHealth).length;
    app.server.refuse(readCapabilities, { status: 200, body: { capabilities: [] } });
    await app.reload();
    await screen.findByRole('switch', { name: 'photo, General' });

    expect(screen.getByText(demo)).toBeVisible();
    expect(screen.queryByRole('button', { name: demo })).toBeNull();
    expect(app.server.requestsTo(readChatHealth)).toHaveLength(before);
    expect(screen.queryByRole('button', { name: 'Menu, General' })).toBeNull();
    await app.user.click(await button('Menu'));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Refresh settings',
      'Add topic',
      'Back to List',
    ]);
  });
});
