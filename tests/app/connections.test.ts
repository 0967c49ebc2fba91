/** The section of the dashboard that links accounts of other services, with stand-ins for the services. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import {
  listConnections,
  removeConnection,
  type ServiceId,
  startConnection,
} from '#contract/endpoints/connections';
import { readCapabilities } from '#contract/endpoints/site';
import { giveChats } from '#tests/chats';
import { finishCalls, startConnecting } from '#tests/connecting';
import { button, cats, openDashboard, person } from '#tests/open-dashboard';
import { renderApp } from '#tests/render-app';

const services = [
  { id: 'spotify', label: 'Spotify', purpose: 'Shows what you are listening to.' },
  {
    id: 'anilist',
    label: 'AniList',
    purpose: 'Shows what you watch, and your name there.',
  },
] as const satisfies readonly { readonly id: ServiceId; readonly [name: string]: string }[];

/** The dashboard of a user with one chat, on a server that can link both services. */
async function openAccounts({ linked }: { readonly linked?: ServiceId } = {}) {
  const linking = await startConnecting();
  const token = await linking.server.signUp(person);
  await giveChats(linking.server, person, [{ id: cats, name: 'Cat lovers' }]);
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  const app = await renderApp('/dashboard', {
    server: linking.server,
    as: { telegramId: person, token },
  });
  if (linked) {
    await linking.link(linked, token);
    window.dispatchEvent(new Event('visibilitychange'));
  }
  await accounts();
  return { ...app, services: linking, token, opened };
}

const accounts = () => screen.findByRole('list', { name: 'Your connected accounts' });
const row = async (label: string) => {
  const found = within(await accounts())
    .getAllByRole('listitem')
    .find((item) => within(item).queryByRole('heading', { name: label }));
  if (!found) {
    throw new Error(`${label} is not in the list`);
  }
  return within(found);
};

/** The user returns to the page. */
const returnToPage = () => window.dispatchEvent(new Event('visibilitychange'));

describe.each(services)('$label', ({ id, label, purpose }) => {
  test('opens in another page, and its link is noticed on return', async () => {
    const { user, services: linking, token, opened, server } = await openAccounts();
    expect((await row(label)).getByText(purpose)).toBeVisible();

    await user.click(await button(`Link ${label}`));

    await waitFor(() => expect(opened).toHaveBeenCalledOnce());
    const [address = ''] = opened.mock.calls[0] ?? [];
    expect(
      (await row(label)).getByText(`Finish at ${label}. This page notices when you are done.`),
    ).toBeVisible();
    expect((await row(label)).getByRole('link', { name: `Open ${label}` })).toHaveAttribute(
      'href',
      String(address),
    );

    // The user agrees in another tab.
    const { code, state } = linking[id === 'spotify' ? 'music' : 'anime'].agree(String(address));
    await linking.server.call(finishCalls[id], { code, state }, { token });
    returnToPage();

    expect(await screen.findByText(`${label} is linked.`)).toBeVisible();
    expect(await button(`Unlink ${label}`)).toBeVisible();
    expect(screen.queryByRole('link', { name: `Open ${label}` })).toBeNull();
    expect(server.requestsTo(startConnection)).toHaveLength(1);
    expect(await linking.readState(id, token)).toMatchObject({ state: 'linked' });
  });

  test('is unlinked, after a question', async () => {
    const { user, services: linking, token } = await openAccounts({ linked: id });

    await user.click(await button(`Unlink ${label}`));
    const question = within(await screen.findByRole('dialog', { name: `Unlink ${label}` }));
    // The bot uses neither of them, so it is not named as what loses something.
    expect(question.queryByText(/\bbot\b/)).toBeNull();
    await user.click(question.getByRole('button', { name: 'Unlink' }));

    expect(await button(`Link ${label}`)).toBeVisible();
    expect(await linking.readState(id, token)).toMatchObject({ state: 'unlinked' });
  });

  test('stays linked when the user cancels', async () => {
    const { user, server } = await openAccounts({ linked: id });

    await user.click(await button(`Unlink ${label}`));
    const question = within(await screen.findByRole('dialog', { name: `Unlink ${label}` }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));

    expect(await button(`Unlink ${label}`)).toHaveFocus();
    expect(server.requestsTo(removeConnection)).toHaveLength(0);
  });

  test('says why it cannot be opened', async () => {
    const { user, server, opened } = await openAccounts();

    server.refuse(startConnection, { status: 503, body: { detail: 'Not today.' } });
    await user.click(await button(`Link ${label}`));
    expect(await (await row(label)).findByRole('alert')).toHaveTextContent('Not today.');

    server.drop(startConnection);
    await user.click(await button(`Link ${label}`));
    await waitFor(async () =>
      expect(await (await row(label)).findByRole('alert')).toHaveTextContent(
        `${label} could not be opened. Please try again.`,
      ),
    );
    expect(opened).not.toHaveBeenCalled();
  });

  test('says why it cannot be unlinked, and stays linked', async () => {
    const { user, server } = await openAccounts({ linked: id });
    server.drop(removeConnection);

    await user.click(await button(`Unlink ${label}`));
    await user.click(await button('Unlink'));

    expect(await (await row(label)).findByRole('alert')).toHaveTextContent(
      `${label} could not be unlinked. Please try again.`,
    );
    expect(await button(`Unlink ${label}`)).toBeVisible();
  });

  test('names the variables to set to the operator, where it is not set up', async () => {
    await openDashboard('/dashboard', { chats: [{ id: cats }] });

    const part = await row(label);
    const variables = {
      spotify: ['SPOTIFY_CLIENT_ID'],
      anilist: ['ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET'],
    }[id];
    expect(part.getByText(/^Not set up on this server/)).toHaveTextContent(
      `Not set up on this server. To set it up, set ${variables.join(', ')}.`,
    );
    expect(part.queryByRole('button')).toBeNull();
  });

  test('names no variables to other users', async () => {
    vi.spyOn(window.location, 'hostname', 'get').mockReturnValue('nori.example.org');

    await openDashboard('/dashboard', { chats: [{ id: cats }] });

    expect((await row(label)).getByText('Not set up on this server.')).toBeVisible();
    expect(document.body).not.toHaveTextContent('_CLIENT_ID');
  });
});

test('a linked service shows the account and the date, and Spotify links to Now playing', async () => {
  const { services: linking, token } = await openAccounts({ linked: 'anilist' });
  await linking.link('spotify', token);
  returnToPage();

  expect(await (await row('AniList')).findByText('Linked as mika_watches')).toBeVisible();
  expect((await row('AniList')).getByText('since 21 Nov 2026')).toBeVisible();
  expect(await (await row('Spotify')).findByText('Linked')).toBeVisible();
  expect((await row('Spotify')).getByRole('link', { name: 'Now playing' })).toHaveAttribute(
    'href',
    '/spotify/now-playing',
  );
});

describe('a link to Spotify that the service ends after six months', () => {
  const day = 24 * 60 * 60_000;

  /** A user whose link ends in so many days. */
  async function openEnding(days: number) {
    const opened = await openAccounts({ linked: 'spotify' });
    const linkedAt = new Date(Date.now() - 100 * day).toISOString();
    const answer = (at: string, end: number) =>
      opened.server.refuse(listConnections, {
        status: 200,
        body: {
          connections: [
            {
              service: 'spotify',
              state: 'linked',
              linked_at: at,
              ends_at: new Date(end).toISOString(),
              missing: [],
            },
          ],
        },
      });
    answer(linkedAt, Date.now() + days * day);
    returnToPage();
    return { ...opened, answer };
  }

  test('shows until when it lasts', async () => {
    const { services: linking, token } = await openAccounts({ linked: 'spotify' });
    await linking.link('anilist', token);
    returnToPage();

    expect(await (await row('Spotify')).findByText('until 21 May 2027')).toBeVisible();
    expect(await (await row('AniList')).findByText('until 21 Nov 2027')).toBeVisible();
  });

  test('does not remind of its end eight days before', async () => {
    await openEnding(8);

    await (await row('Spotify')).findByText(/^until /);
    expect(screen.queryByRole('button', { name: 'Link Spotify again' })).toBeNull();
  });

  test('reminds of its end in the last week, and is linked again without an unlink', async () => {
    const { user, server, opened, answer } = await openEnding(6.5);
    expect(await screen.findByText(/^Spotify ends this link on \d+ \w+ \d{4}\./)).toBeVisible();

    await user.click(await button('Link Spotify again'));
    await waitFor(() => expect(opened).toHaveBeenCalledOnce());
    expect((await row('Spotify')).getByText(/^Finish at Spotify\./)).toBeVisible();
    expect(screen.queryByText('Spotify is linked.')).toBeNull();

    answer(new Date().toISOString(), Date.now() + 180 * day);
    returnToPage();

    expect(await screen.findByText('Spotify is linked.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Link Spotify again' })).toBeNull();
    expect(server.requestsTo(removeConnection)).toHaveLength(0);
  });

  test('says when its end is past', async () => {
    await openEnding(-1);

    expect(await screen.findByText(/^Spotify was to end this link on /)).toBeVisible();
    expect(await button('Link Spotify again')).toBeVisible();
  });
});

test('a pending link can be cancelled', async () => {
  const { user } = await openAccounts();
  await user.click(await button('Link Spotify'));

  await user.click(await button('Cancel'));

  expect(await button('Link Spotify')).toBeVisible();
  expect(screen.queryByText(/^Finish at/)).toBeNull();
});

test('a pending link is not shown to the next user', async () => {
  const { user, services: linking, goTo } = await openAccounts();
  await user.click(await button('Link Spotify'));
  await screen.findByRole('link', { name: 'Open Spotify' });

  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Logout' }));
  const question = within(await screen.findByRole('dialog', { name: 'Confirm Logout' }));
  await user.click(question.getByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Log in' });
  const next = person + 1;
  localStorage.setItem('accessToken', await linking.server.signUp(next));
  localStorage.setItem('telegram_id', String(next));
  window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }));
  await giveChats(linking.server, next, [{ id: cats - 1 }]);
  goTo('/dashboard');

  expect(await button('Link Spotify')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Open Spotify' })).toBeNull();
});

test('a page that the browser did not open can be opened by a press', async () => {
  const { user, opened } = await openAccounts();
  await user.click(await button('Link AniList'));

  await user.click(await screen.findByRole('link', { name: 'Open AniList' }));

  expect(opened).toHaveBeenCalledTimes(2);
  expect(opened.mock.calls[1]).toEqual(opened.mock.calls[0]);
});

test('a URL that is not a web address is not opened', async () => {
  const { user, server, opened } = await openAccounts();
  server.refuse(startConnection, {
    status: 200,
    body: { authorize_url: 'javascript:alert(1)' },
  });

  await user.click(await button('Link Spotify'));

  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Spotify could not be opened. Please try again.',
  );
  expect(opened).not.toHaveBeenCalled();
});

test('polls while a link is pending, and not before', async () => {
  const { user, services: linking, token, opened, server } = await openAccounts();
  const before = server.requestsTo(listConnections).length;
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'Date'],
    shouldAdvanceTime: true,
  });
  try {
    vi.advanceTimersByTime(20_000);
    expect(server.requestsTo(listConnections)).toHaveLength(before);
    await user.click(await button('Link Spotify'));
    await screen.findByRole('link', { name: 'Open Spotify' });
    const { code, state } = linking.music.agree(String(opened.mock.calls[0]?.[0]));
    await linking.server.call(finishCalls.spotify, { code, state }, { token });

    vi.advanceTimersByTime(3000);

    expect(await screen.findByText('Spotify is linked.')).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

test('notices a link made in another tab of the same browser', async () => {
  const { services: linking, token } = await openAccounts();
  await linking.link('anilist', token);

  const otherTab = new BroadcastChannel('nori');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches its own origin alone.
  otherTab.postMessage('connections');

  expect(await button('Unlink AniList')).toBeVisible();
  otherTab.close();
});

test('is also shown to a user without chats, whose dashboard begins with adding one', async () => {
  await openDashboard('/dashboard');

  expect(await screen.findByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  expect(await row('Spotify')).toBeDefined();
});

test('is not shown where the server cannot link anything', async () => {
  const app = await renderApp('/privacy-policy', { as: person });
  app.server.refuse(readCapabilities, { status: 200, body: { capabilities: [] } });

  app.goTo('/dashboard?step=add');
  await app.user.click(await button('Back to List'));

  expect(await screen.findByText('No chats available')).toBeVisible();
  await waitFor(() => expect(app.server.requestsTo(readCapabilities)).not.toHaveLength(0));
  expect(screen.queryByText('Connected accounts')).toBeNull();
  expect(app.server.requestsTo(listConnections)).toHaveLength(0);
});

test('shows an error when it cannot be loaded, and can be loaded again', async () => {
  const app = await renderApp('/privacy-policy', { as: person });
  app.server.refuse(listConnections, { status: 400 });
  app.goTo('/dashboard?step=add');
  await app.user.click(await button('Back to List'));
  expect(await screen.findByText('Your connected accounts could not be loaded.')).toBeVisible();

  app.server.heal(listConnections);
  await app.user.click(await button('Try again'));

  expect(await row('Spotify')).toBeDefined();
});
