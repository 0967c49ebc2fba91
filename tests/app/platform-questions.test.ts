/** Requests to Telegram's client: popups, links and files; and a client that does not answer. */
import { afterEach, describe, expect, test, vi } from 'vitest';

import { settled, useTestPlatform } from '#tests/test-boot';

const { client, open, sent } = useTestPlatform();

afterEach(() => {
  vi.useRealTimers();
});

async function ownQuestions() {
  const { usePopups } = await import('#lib/popup');
  return usePopups.getState().questions;
}

describe('popup', () => {
  const question = {
    title: 'Confirm Logout',
    message: 'Are you sure you want to logout?',
    buttons: [
      { id: 'cancel', text: 'Cancel', kind: 'cancel' },
      { id: 'logout', text: 'Logout', kind: 'destructive' },
    ],
  } as const;

  test('the user answers in Telegram’s popup', async () => {
    const platform = await open();
    const answer = platform.popup(question);
    await settled();
    client().emit('popup_closed', { button_id: 'logout' });

    expect(await answer).toBe('logout');
    expect(sent('web_app_open_popup')).toEqual([
      {
        title: question.title,
        message: question.message,
        buttons: [
          { id: 'cancel', type: 'cancel' },
          { id: 'logout', type: 'destructive', text: 'Logout' },
        ],
      },
    ]);
  });

  test('resolves to undefined when it is closed without an answer', async () => {
    const platform = await open();
    const answer = platform.popup(question);
    await new Promise((resolve) => setTimeout(resolve, 150));
    client().emit('popup_closed', {});

    expect(await answer).toBeUndefined();
    expect(await ownQuestions()).toHaveLength(0);
  });

  test('a second question meanwhile is shown by the app itself', async () => {
    const platform = await open();
    void platform.popup(question);
    const second = platform.popup({ ...question, title: 'Second' });

    const [own] = await ownQuestions();
    own!.answer('logout');

    expect(own!.title).toBe('Second');
    expect(await second).toBe('logout');
    expect(sent('web_app_open_popup')).toHaveLength(1);
  });

  test('when the client refuses at once, as Telegram’s web version does after three, the app shows the question', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    client().answers['web_app_open_popup'] = () => ['popup_closed', {}];
    const platform = await open();
    const answer = platform.popup(question);
    await settled();
    await settled();

    (await ownQuestions())[0]!.answer('cancel');

    expect(await answer).toBe('cancel');
  });

  test('when the client has no popups, the app shows the question', async () => {
    const platform = await open({ version: '6.1' });
    void platform.popup(question);

    expect(await ownQuestions()).toHaveLength(1);
    expect(sent('web_app_open_popup')).toHaveLength(0);
  });

  test('long texts are cut to Telegram’s limits, and a question with too many buttons is shown by the app', async () => {
    const platform = await open();
    void platform.popup({ ...question, title: 'T'.repeat(80), message: 'm'.repeat(300) });
    await settled();

    expect(sent('web_app_open_popup')).toEqual([
      expect.objectContaining({
        title: `${'T'.repeat(63)}…`,
        message: `${'m'.repeat(255)}…`,
      }),
    ]);
    client().emit('popup_closed', { button_id: 'cancel' });
    await settled();

    const buttons = ['a', 'b', 'c', 'd'].map((id) => ({ id, text: id }));
    void platform.popup({ ...question, buttons });
    expect(await ownQuestions()).toHaveLength(1);
  });

  test('a client that never answers does not block the next question', async () => {
    const platform = await open();
    vi.useFakeTimers();
    const answer = platform.popup(question);
    await vi.advanceTimersByTimeAsync(5 * 60_000);

    expect(await answer).toBeUndefined();
    void platform.popup(question);
    expect(sent('web_app_open_popup')).toHaveLength(2);
  });
});

describe('links, files and the clipboard', () => {
  test('t.me links open in Telegram, all others outside', async () => {
    const platform = await open();

    platform.openTelegramLink('https://t.me/nori_bot?startgroup=1&admin=delete_messages');
    platform.openTelegramLink('https://example.org/');
    platform.openLink('https://example.org/a?b=c');

    expect(sent('web_app_open_tg_link')).toEqual([
      { path_full: '/nori_bot?startgroup=1&admin=delete_messages' },
    ]);
    expect(sent('web_app_open_link')).toEqual([
      { url: 'https://example.org/' },
      { url: 'https://example.org/a?b=c' },
    ]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'tg://resolve', 'http://['])(
    'an address like %s is never opened',
    async (url) => {
      const platform = await open();

      platform.openLink(url);
      platform.openTelegramLink(url);

      expect(client().sent.filter(({ name }) => name.includes('link'))).toHaveLength(0);
    },
  );

  test('a file is saved by the client, unless the user declines or its address is not HTTPS', async () => {
    const platform = await open();
    const file = { url: 'https://nori.test/a.json', name: 'a.json' };

    expect(await platform.download(file)).toBe(true);
    expect(sent('web_app_request_file_download')).toEqual([{ url: file.url, file_name: 'a.json' }]);
    client().answers['web_app_request_file_download'] = () => [
      'file_download_requested',
      { status: 'cancelled' },
    ];
    expect(await platform.download(file)).toBe(false);
    const unreachable = ['blob:https://nori.test/1', 'http://nori.test/a', 'http://['];
    expect(
      await Promise.all(unreachable.map((url) => platform.download({ url, name: 'a' }))),
    ).toEqual([false, false, false]);
  });

  test('a file that the client ignores is opened in the browser after 5 seconds', async () => {
    const platform = await open();
    client().answers['web_app_request_file_download'] = () => undefined;
    vi.useFakeTimers();

    const saved = platform.download({ url: 'https://nori.test/a.json', name: 'a.json' });
    await vi.advanceTimersByTimeAsync(4900);
    expect(sent('web_app_open_link')).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);

    expect(await saved).toBe(true);
    expect(sent('web_app_open_link')).toEqual([{ url: 'https://nori.test/a.json' }]);
  });

  test('a user who is still being asked by the client is waited for', async () => {
    const platform = await open();
    client().answers['web_app_request_file_download'] = () => undefined;
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    vi.useFakeTimers();

    const saved = platform.download({ url: 'https://nori.test/a.json', name: 'a.json' });
    await vi.advanceTimersByTimeAsync(20_000);
    client().emit('file_download_requested', { status: 'downloading' });

    expect(await saved).toBe(true);
    expect(sent('web_app_open_link')).toEqual([]);
  });

  test('an old client opens the file in the browser', async () => {
    const platform = await open({ version: '7.0' });

    expect(await platform.download({ url: 'https://nori.test/a.json', name: 'a' })).toBe(true);
    expect(sent('web_app_open_link')).toEqual([{ url: 'https://nori.test/a.json' }]);
  });

  test('closing asks for confirmation only while it is requested', async () => {
    const platform = await open();

    platform.confirmClosing(true);
    platform.confirmClosing(false);

    expect(sent('web_app_setup_closing_behavior')).toEqual([
      { need_confirmation: true },
      { need_confirmation: false },
    ]);
  });
});

describe('a client that fails', () => {
  test('a bridge that throws does not stop the app', async () => {
    Object.assign(window, {
      TelegramWebviewProxy: {
        postEvent() {
          throw new Error('the bridge is broken');
        },
      },
    });
    const platform = await open();

    platform.ready();
    platform.haptic('light');
    platform.paintFrame('#ffffff');
    platform.showBack(() => undefined)();
    platform.confirmClosing(true);
    const answer = platform.popup({ title: 'a', message: 'b', buttons: [{ id: 'c', text: 'c' }] });
    await settled();

    (await ownQuestions())[0]!.answer('c');
    expect(await answer).toBe('c');
  });
});
