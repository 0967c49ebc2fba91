/** Picking a group from the list of the Telegram client. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { preparePick } from '#contract/endpoints/chat-activity';
import { listChats } from '#contract/endpoints/chats';
import { readCapabilities } from '#contract/endpoints/site';
import { button, cats, openDashboard, problem } from '#tests/open-dashboard';
import { settled, useTestPlatform } from '#tests/test-boot';

const birds = -1005550001;
const managed = { chats: [{ id: cats, name: 'Cat lovers' }] };
const listed = { chat_id: cats, chat_name: 'Cat lovers' };
const waiting = { chat_id: birds, chat_name: 'Bird watchers' };
const offered = { status: 200, body: { capabilities: ['chats.care', 'chats.pick'] } };

/** Opens the step of adding a chat, with a client that has the list and a server with a bot. */
async function openAdding({ version = '9.6' } = {}) {
  const app = await openDashboard('/features', { ...managed, launch: true, version });
  app.server.refuse(readCapabilities, offered);
  app.server.refuse(preparePick, { status: 200, body: { request_id: 'req-7' } });
  await app.reload();
  app.goTo('/dashboard?step=add');
  await screen.findByLabelText('Telegram Chat ID');
  return app;
}

type App = Awaited<ReturnType<typeof openAdding>>;

/** The bot has seen the group, and the server lists it from now on. */
function listPickedGroup({ server }: App): void {
  server.refuse(listChats, { status: 200, body: { chats: [listed], unverified: [waiting] } });
}

/** What the client reports after the user has chosen. */
function answerPick({ bridge }: App, answer: (data: unknown) => readonly [string, unknown]): void {
  if (bridge) {
    bridge.answers['web_app_request_chat'] = answer;
  }
}

describe('picking a group', () => {
  test('leads to its verification as soon as it has arrived', async () => {
    const app = await openAdding();
    answerPick(app, (data) => {
      listPickedGroup(app);
      return ['requested_chat_sent', data];
    });

    await app.user.click(await button('Pick a group'));

    expect(await screen.findByRole('heading', { name: 'Verify Chat Ownership' })).toBeVisible();
    expect(window.location.search).toBe(`?verify=${birds}`);
    expect(screen.getByText('Bird watchers')).toBeVisible();
    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_request_chat',
      data: { req_id: 'req-7' },
    });
  });

  test('leads to its verification also when it was in the list before', async () => {
    const app = await openAdding();
    const waits = (addedAt: number) =>
      app.server.refuse(listChats, {
        status: 200,
        body: {
          chats: [listed],
          unverified: [{ chat_id: '-7', chat_name: 'Others' }, waiting],
          newest: { chat_id: birds, added_at: addedAt },
        },
      });
    waits(1000);
    answerPick(app, (data) => {
      waits(2000);
      return ['requested_chat_sent', data];
    });

    await app.user.click(await button('Pick a group'));

    await waitFor(() => expect(window.location.search).toBe(`?verify=${birds}`));
  });

  test('that the user manages already leads to its settings', async () => {
    const app = await openAdding();
    answerPick(app, (data) => {
      const newest = { chat_id: cats, added_at: 1000 };
      const body = { chats: [listed], unverified: [waiting], newest };
      app.server.refuse(listChats, { status: 200, body });
      return ['requested_chat_sent', data];
    });

    await app.user.click(await button('Pick a group'));

    expect(await screen.findByText('You manage “Cat lovers” already.')).toBeVisible();
    await app.user.click(screen.getByRole('link', { name: 'Open its settings' }));
    expect(window.location.search).toBe(`?chat=${cats}`);
  });

  test('works by the keyboard, and says that it waits', async () => {
    const app = await openAdding();
    (await button('Pick a group')).focus();
    await app.user.keyboard('{Enter}');

    expect(await screen.findByText('Waiting for the group to arrive...')).toBeVisible();
    listPickedGroup(app);

    await waitFor(() => expect(window.location.search).toBe(`?verify=${birds}`));
  });

  test('that is cancelled shows no message', async () => {
    const app = await openAdding();
    answerPick(app, (data) => ['requested_chat_failed', data]);

    await app.user.click(await button('Pick a group'));

    await waitFor(async () => expect(await button('Pick a group')).toBeEnabled());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(window.location.search).toBe('?step=add');
  });

  test('that Telegram cannot do shows an error, and the ID can still be typed', async () => {
    const app = await openAdding();
    answerPick(app, () => ['requested_chat_failed', { req_id: 'req-7', error: 'UNSUPPORTED' }]);

    await app.user.click(await button('Pick a group'));

    expect(await problem()).toHaveTextContent(
      'Telegram could not share the group. Please try again, or enter its ID below.',
    );
    expect(screen.getByLabelText('Telegram Chat ID')).toBeEnabled();
  });

  test('that the server refuses shows its message', async () => {
    const app = await openAdding();
    app.server.refuse(preparePick, { status: 503, body: { detail: 'Telegram is busy.' } });

    await app.user.click(await button('Pick a group'));

    expect(await problem()).toHaveTextContent('Telegram is busy.');
    expect(app.bridge?.sent.map(({ name }) => name)).not.toContain('web_app_request_chat');
  });

  test('of a group that does not arrive ends, and says where it will appear', async () => {
    const app = await openAdding();
    const pick = await button('Pick a group');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());

    await app.user.click(pick);
    const notYet = /The group has not arrived yet/;
    await vi.waitUntil(
      async () => {
        await vi.advanceTimersByTimeAsync(1000);
        return screen.queryByText(notYet);
      },
      { timeout: 25_000, interval: 5 },
    );
    expect(screen.getByText(notYet)).toBeVisible();
    await app.user.click(screen.getByRole('link', { name: 'Back to List' }));

    expect(await screen.findByRole('heading', { name: 'Manage Your Chats' })).toBeVisible();
  });
});

describe('no group can be picked', () => {
  test('in a client that is too old', async () => {
    await openAdding({ version: '9.1' });

    expect(screen.queryByRole('button', { name: 'Pick a group' })).toBeNull();
  });

  test('in a browser', async () => {
    const app = await openDashboard('/dashboard?step=add', managed);
    app.server.refuse(readCapabilities, offered);
    await screen.findByLabelText('Telegram Chat ID');

    expect(screen.queryByRole('button', { name: 'Pick a group' })).toBeNull();
  });
});

describe('the platform', () => {
  const telegram = useTestPlatform();

  test.each(['9.6', '9.10', '10.0'])('of version %s has the list', async (version) => {
    const platform = await telegram.open({ version });

    expect(await platform.pickChat?.('a')).toBe('sent');
    expect(telegram.sent('web_app_request_chat')).toEqual([{ req_id: 'a' }]);
  });

  test.each(['6.0', '9.5'])('of version %s has none', async (version) => {
    expect((await telegram.open({ version })).pickChat).toBeUndefined();
  });

  test('accepts only the answer to its own request', async () => {
    const platform = await telegram.open({ version: '9.6' });
    telegram.client().answers['web_app_request_chat'] = () => [
      'requested_chat_sent',
      { req_id: 'b' },
    ];
    const picked = platform.pickChat?.('a');
    await settled();
    telegram.client().emit('requested_chat_failed', { req_id: 'a', error: 'USER_DECLINED' });
    expect(await picked).toBe('declined');
  });

  test.each([undefined, null, {}])(
    'of Android names no request when the list is closed: %s',
    async (data) => {
      const platform = await telegram.open({ version: '9.6', app: 'android' });
      telegram.client().answers['web_app_request_chat'] = () => ['requested_chat_failed', data];

      expect(await platform.pickChat?.('a')).toBe('declined');
    },
  );

  test('does not know which of two open lists was closed, so both stay open', async () => {
    const platform = await telegram.open({ version: '9.6', app: 'android' });
    telegram.client().answers['web_app_request_chat'] = () => undefined;
    const picked = [platform.pickChat?.('a'), platform.pickChat?.('b')];
    const settledFirst = vi.fn<(index: number) => void>();
    picked.forEach((pick, index) => void pick?.then(() => settledFirst(index)));

    telegram.client().emit('requested_chat_failed');
    await settled();
    expect(settledFirst).not.toHaveBeenCalled();

    telegram.client().emit('requested_chat_failed', { req_id: 'b' });
    expect(await picked[1]).toBe('declined');
    telegram.client().emit('requested_chat_failed');
    expect(await picked[0]).toBe('declined');
  });

  test('waits a minute for the client, and no longer', async () => {
    const platform = await telegram.open({ version: '9.6' });
    telegram.client().answers['web_app_request_chat'] = () => undefined;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = vi.fn<() => void>();
    const picked = platform.pickChat?.('a').finally(ended);

    await vi.advanceTimersByTimeAsync(59_000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);

    expect(await picked).toBe('declined');
  });
});
