/** Starting the app: finding the session before the first render. */
import { describe, expect, test, vi } from 'vitest';

import { loginWithTelegram } from '#contract/endpoints/session';
import { tabMarks } from '#lib/storage';
import { type NativeBridge } from '#tests/native-bridge';
import { address, openInApp, start, telegramId, useTestBoot } from '#tests/test-boot';

const { launchHash, network, server } = useTestBoot();

const countSent = (bridge: NativeBridge, name: string) =>
  bridge.sent.filter((event) => event.name === name).length;

test('a visitor of the website is a guest at once, without a request', async () => {
  const { getPlatform, getSession, settled } = await start();

  expect(getPlatform().container).toBe('web');
  expect(getSession()).toEqual({ status: 'guest', isNewcomer: false });
  expect(document.documentElement.dataset['container']).toBe('web');
  expect(document.documentElement.dataset['platform']).toBeUndefined();
  await settled;
  expect(network().requests).toHaveLength(0);
});

test('a user with a stored session is logged in on the website at once', async () => {
  localStorage.setItem('accessToken', 'token-of-mine');
  localStorage.setItem('telegram_id', '7');

  const { getSession } = await start();

  expect(getSession()).toEqual({ status: 'member', token: 'token-of-mine', telegramId: '7' });
});

test('in Telegram a user with an account is logged in without a form', async () => {
  await server().signUp(telegramId);
  openInApp(`/${launchHash()}`);

  const { known, settled, getPlatform, getSession } = await start();
  expect(getSession().status).toBe('unknown');
  await settled;

  expect(getPlatform()).toMatchObject({
    container: 'telegram',
    launch: { telegramId: String(telegramId), firstName: 'Mika' },
  });
  expect(document.documentElement.dataset['container']).toBe('telegram');
  expect(document.documentElement.dataset['platform']).toBe('ios');
  expect(await known()).toMatchObject({ status: 'member', telegramId: String(telegramId) });
  expect(localStorage.getItem('accessToken')).toBeTruthy();
  expect(address()).toBe('/');
});

test('a user without an account is a guest and a newcomer', async () => {
  openInApp(`/${launchHash()}`);

  const { known } = await start();

  expect(await known()).toEqual({ status: 'guest', isNewcomer: true });
});

test('launch data that the server refuses leaves a guest, without an error', async () => {
  openInApp(`/${launchHash().replace(/hash%3D\w{4}/, 'hash%3D0000')}`);

  const { known } = await start();

  expect(await known()).toEqual({ status: 'guest', isNewcomer: false });
});

test('Telegram’s loader is removed once, after the first paint and before the server answers', async () => {
  const release = network().hang(loginWithTelegram);
  const bridge = openInApp(`/${launchHash()}`);

  const { settled, known, getSession } = await start();
  await settled;
  await vi.waitFor(() => expect(countSent(bridge, 'web_app_ready')).toBe(1), { timeout: 25_000 });

  expect(getSession().status).toBe('unknown');
  release();
  await known();
  expect(countSent(bridge, 'web_app_ready')).toBe(1);
});

test('in Telegram, too, a stored session is restored at once, without a request', async () => {
  localStorage.setItem('accessToken', 'token-of-mine');
  localStorage.setItem('telegram_id', String(telegramId));
  openInApp(`/${launchHash()}`);

  const { getSession, settled } = await start();
  expect(getSession()).toMatchObject({ status: 'member', token: 'token-of-mine' });
  await settled;

  expect(network().requestsTo(loginWithTelegram)).toHaveLength(0);
});

test('a link with the signed data of another person beside Telegram’s leaves the stored session alone', async () => {
  await server().signUp(666);
  localStorage.setItem('accessToken', 'token-of-mine');
  localStorage.setItem('telegram_id', String(telegramId));
  openInApp(`/${launchHash({ id: 666 })}&${launchHash().slice(1)}`);

  const { getSession, settled } = await start();
  await settled;

  expect(getSession()).toMatchObject({ status: 'member', token: 'token-of-mine' });
  expect(network().requestsTo(loginWithTelegram)).toHaveLength(0);
  expect(address()).toBe('/');
});

describe('a launch of another person than the one of whom the device has data', () => {
  /** The device of user 7, opened by Mika. */
  async function openAsMika() {
    await server().signUp(telegramId);
    localStorage.setItem('accessToken', 'token-of-another');
    localStorage.setItem('telegram_id', '7');
    localStorage.setItem('nori_draft', 'private');
    const bridge = openInApp(`/${launchHash()}`);
    const page = await start();
    await page.settled;
    await vi.waitFor(() => expect(countSent(bridge, 'web_app_open_popup')).toBe(1));
    return { ...page, bridge };
  }

  test('is asked about, and until then neither of them is logged in', async () => {
    const { bridge, getSession } = await openAsMika();

    expect(bridge.sent.find(({ name }) => name === 'web_app_open_popup')?.data).toMatchObject({
      title: 'Another Telegram account',
      message:
        'This device was used by Telegram user 7. Telegram says that you are Mika. Going on removes what this device keeps of the other account.',
      buttons: [{ text: 'Stay' }, { text: 'Go on as Mika' }],
    });
    expect(getSession().status).toBe('unknown');
    expect(localStorage.getItem('nori_draft')).toBe('private');
    expect(network().requestsTo(loginWithTelegram)).toHaveLength(0);
  });

  test('is logged in after “Go on”, and the data of the other is removed', async () => {
    const { bridge, getSession } = await openAsMika();

    bridge.emit('popup_closed', { button_id: 'goOn' });

    const telegramUser = { status: 'member', telegramId: String(telegramId) };
    await vi.waitFor(() => expect(getSession()).toMatchObject(telegramUser));
    expect(localStorage.getItem('nori_draft')).toBeNull();
  });

  test.each([
    ['after “Stay”', { button_id: 'stay' }],
    ['when the question is closed', {}],
  ])('%s is not exchanged, and the stored session goes on', async (_case, answer) => {
    const { bridge, known } = await openAsMika();
    // Closed faster than a user can, it counts as refused by the client.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);

    bridge.emit('popup_closed', answer);

    expect(await known()).toMatchObject({ token: 'token-of-another', telegramId: '7' });
    expect(localStorage.getItem('nori_draft')).toBe('private');
    expect(network().requestsTo(loginWithTelegram)).toHaveLength(0);
  });

  test('stays out when the session of the other ends later', async () => {
    const { bridge, known, getSession } = await openAsMika();
    bridge.emit('popup_closed', { button_id: 'stay' });
    await known();
    const { signInWithTelegram } = await import('#lib/telegram-sign-in');

    expect(await signInWithTelegram()).toBe(false);

    expect(getSession()).toMatchObject({ telegramId: '7' });
    expect(network().requestsTo(loginWithTelegram)).toHaveLength(0);
  });

  test('is not asked about on a reload: the stored session goes on', async () => {
    localStorage.setItem('accessToken', 'token-of-another');
    localStorage.setItem('telegram_id', '7');
    openInApp('/');
    tabMarks.write('launch', launchHash());

    const { getSession, settled } = await start();
    await settled;

    expect(getSession()).toMatchObject({ status: 'member', telegramId: '7' });
  });
});

test('a user who has logged out in this tab is not signed in again automatically', async () => {
  await server().signUp(telegramId);
  openInApp(`/${launchHash()}`);
  tabMarks.write('signed_out', '1');

  const { known } = await start();

  expect(await known()).toEqual({ status: 'guest', isNewcomer: false });
  expect(network().requestsTo(loginWithTelegram)).toHaveLength(0);
});
