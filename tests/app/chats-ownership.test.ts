/** Adding a chat and verifying it: all texts, and all errors. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { addChat, readChat, verifyChat } from '#contract/endpoints/chats';
import {
  button,
  cats,
  dogs,
  openDashboard,
  type Options,
  person,
  problem,
} from '#tests/open-dashboard';
import { renderApp } from '#tests/render-app';

describe('adding a chat', () => {
  const field = () => screen.findByLabelText('Telegram Chat ID');

  test('says what is needed first', async () => {
    await openDashboard('/dashboard?step=add');

    expect(await screen.findByText(/administrator.*"Delete messages" right/)).toBeVisible();
    expect(screen.getByText(/Find the chat’s ID/)).toBeVisible();
  });

  test.each([
    ['', 'Please enter a Chat ID'],
    ['   ', 'Please enter a Chat ID'],
    ['cats', 'A Telegram chat ID is a number, such as -1001234567890'],
  ])('asks for an ID instead of "%s"', async (typed, message) => {
    const { user, server } = await openDashboard('/dashboard?step=add');

    await user.click(await field());
    await user.paste(typed);
    await user.click(await button('Continue'));

    expect(await problem()).toHaveTextContent(message);
    expect(await field()).toHaveFocus();
    expect(await field()).toHaveAccessibleDescription(expect.stringContaining(message));
    expect(server.requestsTo(addChat)).toHaveLength(0);
  });

  test('shows the reason of a refusal with its Telegram link, and keeps the typed ID', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    const { user, server } = await openDashboard('/dashboard?step=add');
    server.refuse(addChat, {
      status: 403,
      body: { detail: 'The owner has to press Start. https://t.me/nori_bot?start=verify' },
    });

    await user.type(await field(), String(cats));
    await user.click(await button('Continue'));

    expect(await problem()).toHaveTextContent('The owner has to press Start.');
    expect(await field()).toHaveFocus();
    expect(await field()).toHaveAccessibleDescription(/^The owner has to press Start/);
    expect(await field()).toHaveValue(String(cats));
    await user.click(screen.getByRole('link', { name: 'https://t.me/nori_bot?start=verify' }));
    expect(opened).toHaveBeenCalledWith(
      'https://t.me/nori_bot?start=verify',
      '_blank',
      expect.any(String),
    );
  });

  test('shows a message of its own if there is no reason, and goes on once it works', async () => {
    const { user, server } = await openDashboard('/dashboard?step=add');
    server.drop(addChat);

    await user.type(await field(), String(cats));
    await user.keyboard('{Enter}');
    expect(await problem()).toHaveTextContent('Failed to send verification code to chat owner');
    server.heal(addChat);
    await user.click(await button('Continue'));

    expect(await screen.findByRole('heading', { name: 'Verify Chat Ownership' })).toBeVisible();
  });

  test('sends one request however often the button is pressed', async () => {
    const { user, server } = await openDashboard('/dashboard?step=add');
    const release = server.hang(addChat);

    await user.type(await field(), String(cats));
    await user.dblClick(await button('Continue'));
    await waitFor(() => expect(server.requestsTo(addChat)).toHaveLength(1));
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDisabled();
    release();

    await screen.findByRole('heading', { name: 'Verify Chat Ownership' });
    expect(server.requestsTo(addChat)).toHaveLength(1);
  });

  test('that is left before the answer arrives does not navigate', async () => {
    const { user, server } = await openDashboard('/dashboard?step=add', { chats: [{ id: dogs }] });
    const release = server.hang(addChat);

    await user.type(await field(), String(cats));
    await user.click(await button('Continue'));
    await waitFor(() => expect(server.requestsTo(addChat)).toHaveLength(1));
    await user.click(await button('Back to List'));
    await screen.findByRole('heading', { name: 'Manage Your Chats' });
    release();

    expect(await screen.findByRole('link', { name: /Chat/ })).toBeVisible();
    expect(window.location.search).toBe('');
  });
});

describe('verifying a chat', () => {
  const firstBox = () => screen.findByLabelText('Digit 1 of 6');

  /** The step after a code was sent. */
  async function openWithCode(options: Options = {}) {
    const app = await openDashboard(`/dashboard?verify=${cats}`, options);
    await app.user.click(await button('Send code'));
    await firstBox();
    return app;
  }

  async function enter({ user }: Awaited<ReturnType<typeof openDashboard>>, code: string) {
    await user.click(await firstBox());
    await user.paste(code);
    await user.click(await button('Continue'));
  }

  test('says what to enter, and shows the message of the server', async () => {
    await openWithCode();

    expect(screen.getByText('Enter the 6-digit OTP sent to the chat owner')).toBeVisible();
    expect(screen.getByText(/The code is on the server's console/)).toBeVisible();
    expect(await firstBox()).toHaveFocus();
  });

  test('wants all six digits', async () => {
    const app = await openWithCode();

    await app.user.click(await firstBox());
    await app.user.keyboard('123');
    await app.user.click(await button('Continue'));

    expect(await problem()).toHaveTextContent('Please enter the complete 6-digit OTP');
    expect(screen.getByLabelText('Digit 4 of 6')).toHaveFocus();
    expect(app.server.requestsTo(verifyChat)).toHaveLength(0);
  });

  test.each([
    ['what the server says', { status: 400, body: { detail: 'That code has expired.' } }],
    ['its own words without a reason', { status: 500, body: '<html>oops</html>' }],
  ])('a refused code gives %s, and the boxes are empty again', async (_case, refusal) => {
    const app = await openWithCode();
    app.server.refuse(verifyChat, refusal);

    await enter(app, '123456');

    expect(await problem()).toHaveTextContent(
      refusal.status === 400 ? 'That code has expired.' : 'Invalid or expired verification code',
    );
    expect(await firstBox()).toHaveValue('');
    await waitFor(async () => expect(await firstBox()).toHaveFocus());
  });

  test('a wrong code is refused, the right one opens the settings', async () => {
    const app = await openWithCode();
    const code = app.testServer.readCode(person);

    await enter(app, code === '000000' ? '000001' : '000000');
    expect(await problem()).toHaveTextContent('Invalid or expired verification code');
    await enter(app, code);

    expect(await screen.findByRole('heading', { level: 2, name: `Chat ${cats}` })).toBeVisible();
  });

  test('says that it is busy, and sends the code once', async () => {
    const app = await openWithCode();
    const release = app.server.hang(verifyChat);

    await app.user.click(await firstBox());
    await app.user.paste(app.testServer.readCode(person));
    await app.user.dblClick(await button('Continue'));
    expect(await screen.findByText('Verifying chat and retrieving settings...')).toBeVisible();
    release();

    expect(await screen.findByRole('heading', { level: 2, name: `Chat ${cats}` })).toBeVisible();
    expect(app.server.requestsTo(verifyChat)).toHaveLength(1);
  });

  test('works with a server that returns no chat: then the settings are read', async () => {
    const app = await openWithCode({ chats: [{ id: cats, name: 'Cat lovers' }] });
    app.server.refuse(verifyChat, { status: 200, body: '' });

    await enter(app, '123456');

    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeVisible();
    expect(app.server.requestsTo(readChat).length).toBeGreaterThan(0);
  });

  test.each([
    [403, 'Only owners in Berlin may manage this chat.'],
    [404, 'This chat was archived in May.'],
  ])(
    'is offered for a chat that the backend refuses (%s), with its reason',
    async (status, detail) => {
      await renderApp(`/dashboard?chat=${cats}`, {
        as: person,
        onConnect: (network) => network.refuse(readChat, { status, body: { detail } }),
      });

      expect(await screen.findByText(detail)).toBeVisible();
      expect(await button('Send code')).toBeVisible();
      expect(screen.queryByText(/You do not manage this chat yet/)).toBeNull();
    },
  );

  test('says that the chat is not managed yet when the backend gives no reason', async () => {
    await renderApp(`/dashboard?chat=${cats}&view=history`, {
      as: person,
      onConnect: (network) => network.refuse(readChat, { status: 403 }),
    });

    expect(await screen.findByText('You do not manage this chat yet.')).toBeVisible();
  });

  test('a code that cannot be sent shows the reason', async () => {
    const app = await openDashboard(`/dashboard?verify=${cats}`);
    app.server.refuse(addChat, { status: 404, body: { detail: 'The bot is not in this chat.' } });

    await app.user.click(await button('Send code'));

    expect(await problem()).toHaveTextContent('The bot is not in this chat.');
    expect(screen.queryByLabelText('Digit 1 of 6')).toBeNull();
  });

  test('closing the page asks first while a code is expected, and only then', async () => {
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const app = await openDashboard(`/dashboard?verify=${cats}`);
    await button('Send code');
    expect(isAsked()).toBe(false);

    await app.user.click(await button('Send code'));
    await firstBox();
    await waitFor(() => expect(isAsked()).toBe(true));
    await app.user.click(await button('Back to List'));

    await screen.findByRole('heading', { name: 'Manage Your Chats' });
    await waitFor(() => expect(isAsked()).toBe(false));
  });
});

describe('inside Telegram', () => {
  const pressed = 'main_button_pressed';

  test('Enter in the boxes sends the code, though the form has no button of its own', async () => {
    const app = await openDashboard(`/dashboard?verify=${cats}`, { launch: true });
    await app.user.click(await button('Send code'));
    await app.user.click(await screen.findByLabelText('Digit 1 of 6'));
    await app.user.paste(app.testServer.readCode(person));

    await app.user.keyboard('{Enter}');

    expect(await screen.findByRole('heading', { level: 2, name: `Chat ${cats}` })).toBeVisible();
  });

  test('the main button takes the place of Continue in both steps', async () => {
    const app = await openDashboard('/dashboard?step=add', { launch: true });
    const mainButton = () =>
      app.bridge?.sent.findLast(({ name }) => name === 'web_app_setup_main_button')?.data;

    await app.user.type(await screen.findByLabelText('Telegram Chat ID'), String(cats));
    await waitFor(() =>
      expect(mainButton()).toMatchObject({ text: 'Continue', is_visible: true, is_active: true }),
    );
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
    app.bridge?.emit(pressed);
    await app.user.click(await screen.findByLabelText('Digit 1 of 6'));
    await app.user.paste(app.testServer.readCode(person));
    app.bridge?.emit(pressed);

    expect(await screen.findByRole('heading', { level: 2, name: `Chat ${cats}` })).toBeVisible();
    await waitFor(() => expect(mainButton()).toMatchObject({ is_visible: false }));
    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_trigger_haptic_feedback',
      data: { type: 'notification', notification_type: 'success' },
    });
  });
});
