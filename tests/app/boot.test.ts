/** Starting the app: finding the session before the first render. */
import { expect, test, vi } from 'vitest';

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

test('the stored session of another account is not used, and its data is removed', async () => {
  await server().signUp(telegramId);
  localStorage.setItem('accessToken', 'token-of-somebody-else');
  localStorage.setItem('telegram_id', '7');
  localStorage.setItem('nori_draft', 'private');
  openInApp(`/${launchHash()}`);

  const { known, getSession } = await start();
  expect(getSession().status).toBe('unknown');

  expect(await known()).toMatchObject({ status: 'member', telegramId: String(telegramId) });
  expect(localStorage.getItem('nori_draft')).toBeNull();
});

test('a user who has logged out in this tab is not signed in again automatically', async () => {
  await server().signUp(telegramId);
  openInApp(`/${launchHash()}`);
  tabMarks.write('signed_out', '1');

  const { known } = await start();

  expect(await known()).toEqual({ status: 'guest', isNewcomer: false });
  expect(network().requestsTo(loginWithTelegram)).toHaveLength(0);
});
