/** The first run where something fails or is missing: every state has its sentence and a way on. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { changeSettings } from '#contract/endpoints/chat-changes';
import { addChat, claimChat, listChats } from '#contract/endpoints/chats';
import { readCapabilities } from '#contract/endpoints/site';
import { giveChats } from '#tests/chats';
import { button, cats, openDashboard, person, problem } from '#tests/open-dashboard';

const newId = -1_009_999_999_999;
const waiting = { chat_id: String(cats), chat_name: 'Cat lovers', may_delete: true };
const verify = `/dashboard?verify=${cats}`;

type Options = {
  readonly isOffered?: boolean;
  readonly launch?: boolean;
  readonly unverified?: readonly (typeof waiting)[];
};

/** Opens an address on a server with a bot, inside Telegram unless told otherwise. */
async function open(
  path: string,
  { isOffered = true, launch = true, unverified = [waiting] }: Options = {},
) {
  const app = await openDashboard('/features', { launch });
  app.server.refuse(readCapabilities, {
    status: 200,
    body: {
      capabilities: ['chats.care', ...(isOffered ? ['chats.claim'] : [])],
      bot_username: 'nori_bot',
    },
  });
  list(app, unverified);
  await app.reload();
  app.goTo(path);
  return app;
}

type App = Awaited<ReturnType<typeof open>>;

function list({ server }: App, unverified: Options['unverified']): void {
  server.refuse(listChats, { status: 200, body: { chats: [], unverified } });
}

const refusal = (code: string, detail = 'The reason of the server.') => ({
  status: 403,
  body: { code, detail },
});

/** The chat belongs to the user from now on, on the real server, too. */
async function accept({ server, testServer }: App, id = cats): Promise<void> {
  await giveChats(testServer, person, [{ id, name: 'Cat lovers' }]);
  const chat = { chat_id: String(id), chat_name: 'Cat lovers', topics: {} };
  server.refuse(claimChat, { status: 200, body: { chat } });
}

const steps = () => screen.findByRole('list', { name: 'Steps to set up a group' });
const currentStep = async () =>
  (await steps()).querySelector('[aria-current="step"]')?.textContent ?? '';
const comeBack = () => window.dispatchEvent(new Event('focus'));
const presets = () => screen.findByRole('list', { name: 'What shall be blocked?' });

describe('a server that does not announce the first run', () => {
  test.each(['/dashboard?step=add', verify])(
    'shows only the specified step at %s',
    async (path) => {
      const { server } = await open(path, { isOffered: false });

      await waitFor(() => expect(screen.getByRole('main')).toHaveTextContent(/Continue|Send code/));
      expect(screen.queryByRole('list', { name: 'Steps to set up a group' })).toBeNull();
      expect(screen.queryByText('Add the bot')).toBeNull();
      expect(server.requestsTo(claimChat)).toEqual([]);
    },
  );
});

describe('the proof', () => {
  test('is one tap, sends the launch data, and leads to the presets', async () => {
    const app = await open(verify);
    await accept(app);

    await app.user.click(await button('This is my group'));

    expect(await presets()).toBeVisible();
    expect(window.location.search).toBe(`?chat=${cats}&view=presets`);
    const [sent] = app.server.requestsTo(claimChat);
    expect(sent?.body).toMatchObject({ init_data: expect.stringContaining('auth_date=') });
    expect(sent?.url.search).toBe('');
  });

  test('without a connection says so, and works when it is pressed again', async () => {
    const app = await open(verify);
    app.server.drop(claimChat);
    await app.user.click(await button('This is my group'));
    expect(await problem()).toHaveTextContent('Telegram could not be asked. Please try again.');

    await accept(app);
    await app.user.click(await button('This is my group'));

    expect(await presets()).toBeVisible();
  });

  test.each(['not_owner', 'launch_too_old'])(
    'refused with %s goes on with a code',
    async (code) => {
      const app = await open(verify);
      app.server.refuse(claimChat, refusal(code));

      await app.user.click(await button('This is my group'));

      expect(await problem()).toHaveTextContent('The reason of the server.');
      expect(screen.queryByRole('button', { name: 'This is my group' })).toBeNull();
      await app.user.click(await button('I already have a code'));
      expect(await screen.findByLabelText('Digit 1 of 6')).toHaveFocus();
    },
  );

  test('of a group that has become a supergroup goes on under its new ID', async () => {
    const app = await open(verify);
    await accept(app, newId);

    await app.user.click(await button('This is my group'));

    await waitFor(() => expect(window.location.search).toBe(`?chat=${newId}&view=presets`));
  });

  test('in a browser is the code of the owner', async () => {
    await open(verify, { launch: false });

    expect(await button('Send code')).toBeVisible();
    expect(await currentStep()).toContain('Show that the group is yours');
    expect(screen.queryByRole('button', { name: 'This is my group' })).toBeNull();
  });
});

describe('a step that is not fulfilled', () => {
  test('goes on by itself when the right is given and the user comes back', async () => {
    const app = await open(verify, { unverified: [{ ...waiting, may_delete: false }] });
    expect(await currentStep()).toContain('Let it delete messages');
    expect(screen.getByRole('link', { name: 'Give the right' })).toHaveAttribute(
      'href',
      'https://t.me/nori_bot?startgroup=settings&admin=delete_messages+restrict_members+invite_users+pin_messages+manage_topics',
    );

    list(app, [waiting]);
    comeBack();

    expect(await button('This is my group')).toBeVisible();
    expect(app.server.requestsTo(claimChat)).toEqual([]);
  });

  test.each([
    ['bot_not_in_chat', 'Add the bot to your group', 'Add the bot'],
    ['bot_cannot_delete', 'Let it delete messages', 'Give the right'],
  ])('of a group that others have set up is tried again by itself (%s)', async (...told) => {
    const [code, step, link] = told;
    const app = await open(verify, { unverified: [] });
    expect(within(await steps()).getAllByText('Checked with the next tap')).toHaveLength(2);
    app.server.refuse(claimChat, refusal(code));
    await app.user.click(await button('This is my group'));
    await waitFor(async () => expect(await currentStep()).toContain(step));
    expect(screen.getByRole('link', { name: link })).toBeVisible();

    await accept(app);
    comeBack();

    expect(await presets()).toBeVisible();
  });
});

describe('an ID that is typed inside Telegram', () => {
  const typeId = async ({ user }: App) => {
    await user.type(await screen.findByLabelText('Telegram Chat ID'), String(cats));
    await user.keyboard('{Enter}');
  };

  test('of the user’s own group needs no code', async () => {
    const app = await open('/dashboard?step=add', { unverified: [] });
    await accept(app);

    await typeId(app);

    expect(await presets()).toBeVisible();
    expect(app.server.requestsTo(addChat)).toEqual([]);
  });

  test('of another owner’s group has a code sent, as everywhere', async () => {
    const app = await open('/dashboard?step=add', { unverified: [] });
    app.server.refuse(claimChat, refusal('not_owner'));

    await typeId(app);

    expect(await screen.findByText('Enter the 6-digit OTP sent to the chat owner')).toBeVisible();
  });

  test('of a group without the bot shows the reason beside the field', async () => {
    const app = await open('/dashboard?step=add', { unverified: [] });
    app.server.refuse(claimChat, refusal('bot_not_in_chat'));

    await typeId(app);

    expect(await problem()).toHaveTextContent('The reason of the server.');
    expect(app.server.requestsTo(addChat)).toEqual([]);
  });
});

describe('the presets', () => {
  const path = `/dashboard?chat=${cats}&view=presets`;

  async function openPresets() {
    const app = await open('/features');
    await giveChats(app.testServer, person, [{ id: cats, name: 'Cat lovers' }]);
    app.goTo(path);
    await presets();
    return app;
  }

  test('that cannot be stored say so and stay, and one works later', async () => {
    const app = await openPresets();
    app.server.drop(changeSettings);
    await app.user.click(screen.getByRole('button', { name: /^Text only/ }));
    expect(await screen.findByText(/Failed to update setting/)).toBeVisible();
    expect(await presets()).toBeVisible();

    app.server.heal(changeSettings);
    await app.user.click(screen.getByRole('button', { name: /^Text only/ }));

    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeChecked();
    expect(await screen.findByText(/^Done\. Text only: \d+ settings changed\.$/)).toBeVisible();
  });

  test('however often one is pressed, one change is sent', async () => {
    const app = await openPresets();
    const release = app.server.hang(changeSettings);

    await app.user.dblClick(screen.getByRole('button', { name: /^Quiet night/ }));
    await waitFor(() => expect(app.server.requestsTo(changeSettings)).toHaveLength(1));
    expect(screen.getByRole('button', { name: /^Text only/ })).toBeDisabled();
    release();

    await screen.findByRole('switch', { name: 'sticker, General' });
    expect(app.server.requestsTo(changeSettings)).toHaveLength(1);
  });

  test('are a choice: deciding oneself changes nothing, and Back leads to the list', async () => {
    const app = await openPresets();

    await app.user.click(screen.getByRole('button', { name: /^Decide myself/ }));

    expect(await screen.findByRole('switch', { name: 'photo, General' })).not.toBeChecked();
    expect(app.server.requestsTo(changeSettings)).toEqual([]);
    expect(window.location.search).toBe(`?chat=${cats}`);
  });

  test('of a chat of others lead to its verification', async () => {
    const app = await open('/features', { unverified: [] });
    app.goTo(path);

    await waitFor(() => expect(window.location.search).toBe(`?verify=${cats}`));
  });
});
