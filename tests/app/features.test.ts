/** The catalogue of features: its categories, opening a feature, and the links from a command to the bot. */
import { screen, waitFor, within } from '@testing-library/react';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';

import { type Need } from '#contract/commands/command';
import { type Category, commandsIn, isOffered } from '#contract/commands/index';
import { commandTexts } from '#contract/commands/titles';
import { readCommands } from '#contract/endpoints/bot-commands';
import { readCapabilities } from '#contract/endpoints/site';
import {
  body,
  item,
  listed,
  openFeatures,
  query,
  searchBox,
  selectedTab,
  tab,
} from '#tests/features-page';
import { startServer } from '#tests/render-app';

/** Servers with a bot that hears commands. */
const unconnected = { variables: { BOT_TOKEN: '123456:token-of-tests', BOT_MODE: 'polling' } };
const connected = { variables: { ...unconnected.variables, SPOTIFY_CLIENT_ID: 'spotify-app' } };

/** Opens the page of a server with Spotify, which says what it has connected when `answer` is called. */
async function openBeforeAnswer(address: string) {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  const app = await openFeatures(address, {
    server: await startServer(connected),
    onConnect: (network) => resolve(network.hang(readCommands)),
  });
  await waitFor(() => expect(app.server.requestsTo(readCommands)).toHaveLength(1));
  return { answer: await promise };
}

/** The titles of a category's commands where these services are connected. */
const titlesIn = (category: Category, services: readonly Need[] = []) =>
  commandsIn(category)
    .filter((id) => isOffered(id, new Set(services)))
    .map((id) => commandTexts[id].title);

const categories = ['Group Management', 'Anime (SFW)', 'Anime (NSFW)', 'Misc Tools', 'Inline'];

describe('the categories', () => {
  test('are five, in order, and the first one is open', async () => {
    await openFeatures();

    expect(document.title).toBe('Features · Nori');
    expect(screen.getAllByRole('tab').map((each) => each.textContent)).toEqual(categories);
    expect(selectedTab()).toBe('Group Management');
    expect(screen.getByRole('tabpanel', { name: 'Group Management' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Features' })).toHaveAttribute('aria-current', 'page');
  });

  test.each([
    ['Group Management', 'group'],
    ['Misc Tools', 'misc'],
  ] as const)(
    '%s has its commands, each with a title and a description',
    async (name, category) => {
      const { user } = await openFeatures('', { server: await startServer(connected) });

      await user.click(tab(name));
      await screen.findByRole('tabpanel', { name });

      const titles = titlesIn(category, ['spotify']);
      await waitFor(() => expect(new Set(listed())).toEqual(new Set(titles)));
      expect(new Set(listed()).size).toBe(listed().length);
      for (const section of within(screen.getByRole('tabpanel')).getAllByRole('listitem')) {
        expect(section.querySelector('p')?.textContent).toMatch(/^[A-Z“].{15,}\.$/);
      }
    },
  );

  test.each(['Anime (SFW)', 'Inline'])(
    '%s has none without services, and says so',
    async (name) => {
      const { user } = await openFeatures();

      await user.click(tab(name));

      expect(await screen.findByText('No features available in this category')).toBeVisible();
      expect(listed()).toEqual([]);
    },
  );

  test('are in the address, so that a reload keeps them', async () => {
    const { user, reload } = await openFeatures();

    await user.click(tab('Misc Tools'));
    expect(query()).toBe('?category=misc');
    await reload();

    await waitFor(() => expect(selectedTab()).toBe('Misc Tools'));
    expect(listed()).toContain('Help');
  });

  test('that do not exist lead to the first one', async () => {
    await openFeatures('?category=toString&command=nothing');

    expect(selectedTab()).toBe('Group Management');
    expect(listed()).toContain('Ban');
  });

  test('are reached with arrow keys, without the one for adults', async () => {
    const { user } = await openFeatures();
    const press = async (key: string, selected: string) => {
      await user.keyboard(`{${key}}`);
      await waitFor(() => expect(selectedTab()).toBe(selected));
    };
    tab('Group Management').focus();

    await press('ArrowRight', 'Anime (SFW)');
    await press('ArrowRight', 'Anime (SFW)');
    expect(tab('Anime (NSFW)')).toHaveFocus();
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('ArrowRight', 'Misc Tools');
    expect(tab('Misc Tools')).toHaveFocus();
    await press('End', 'Inline');
    await press('ArrowRight', 'Group Management');
    await press('ArrowLeft', 'Inline');
    await press('Home', 'Group Management');
    await press('ArrowRight', 'Anime (SFW)');
    await press('ArrowRight', 'Anime (SFW)');
    await user.keyboard('{Enter}');

    expect(await screen.findByRole('dialog', { name: 'Age Confirmation' })).toBeVisible();
  });

  test('are one Tab stop together', async () => {
    const { user } = await openFeatures('?category=misc');
    await user.click(screen.getByRole('searchbox'));

    await user.tab();
    expect(tab('Misc Tools')).toHaveFocus();
    await user.tab();

    expect(await item('Start')).toHaveFocus();
  });
});

describe('a feature', () => {
  test('opens and closes, by mouse and by keyboard', async () => {
    const { user } = await openFeatures();
    const ban = await item('Ban');
    expect(ban).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByText('How to use:')).toBeNull();

    await user.click(ban);
    expect(ban).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByText('How to use:')).toBeVisible();

    await user.keyboard('{Enter}');
    expect(ban).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByText('How to use:')).toBeNull();

    await user.keyboard(' ');
    expect(ban).toHaveAttribute('aria-expanded', 'true');
  });

  test('stays open when another one opens', async () => {
    const { user } = await openFeatures();

    await user.click(await item('Ban'));
    await user.click(await item('Mute'));

    expect(await item('Ban')).toHaveAttribute('aria-expanded', 'true');
    expect(await item('Mute')).toHaveAttribute('aria-expanded', 'true');
  });

  test('shows only its commands as code', async () => {
    const { user } = await openFeatures();

    await user.click(await item('Rules of warnings'));

    const usage = (await body('Rules of warnings')).getByRole('list');
    expect([...usage.querySelectorAll('code')].map((code) => code.textContent)).toEqual([
      '/warnlimit',
      '/warnmode',
      '/warnmode',
      '/warntime',
    ]);
    expect(usage).toHaveTextContent('/warnmode mute 1d or /warnmode ban');
  });

  test('that shows the status is the only one with a link to the dashboard', async () => {
    const { user } = await openFeatures('', { as: 4242 });
    await user.click(await item('Ban'));
    expect(screen.queryByRole('link', { name: 'Open the dashboard' })).toBeNull();

    await user.click(await item('Status'));
    await user.click((await body('Status')).getByRole('link', { name: 'Open the dashboard' }));

    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });
});

describe('a link to a single command', () => {
  test('opens its category, and the command, and scrolls to it', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');

    await openFeatures('?command=privacy');

    expect(selectedTab()).toBe('Misc Tools');
    expect(await item('Privacy')).toHaveAttribute('aria-expanded', 'true');
    await waitFor(() => expect(scrolled).toHaveBeenCalled());
    expect(scrolled.mock.contexts.at(-1)).toHaveTextContent(/^Privacy/);
  });

  test.each([
    ['tban', 'Ban'],
    ['unlock', 'Lock and unlock'],
    ['tmute', 'Mute'],
    ['ping', 'Status'],
  ])('that is a part of another by now, %s, opens that one', async (id, title) => {
    const { user } = await openFeatures(`?command=${id}`);

    expect(await item(title)).toHaveAttribute('aria-expanded', 'true');
    await user.click(await item(title));

    expect(await item(title)).toHaveAttribute('aria-expanded', 'false');
    expect(query()).toBe('');
  });

  test.each(['kemono', 'inline-translate', 'quotely', '__proto__'])(
    'that is gone, %s, opens the page alone',
    async (id) => {
      await openFeatures(`?command=${id}`);

      expect(selectedTab()).toBe('Group Management');
      expect(listed()).toContain('Ban');
      expect(screen.queryByText('How to use:')).toBeNull();
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );

  test('is in the address when the user opens it, and the page does not scroll', async () => {
    const { user } = await openFeatures();
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');

    await user.click(await item('Purge'));
    expect(query()).toBe('?command=purge');
    await user.click(await item('Purge'));

    expect(query()).toBe('');
    expect(scrolled).not.toHaveBeenCalled();
  });

  test('does not scroll the page when a second press closes it before the page has followed the first', async () => {
    await openFeatures();
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    const purge = await item('Purge');

    // How soon the page follows depends on the machine, so the second press comes after none to eight of its turns.
    for (let round = 0; round < 36; round += 1) {
      purge.click();
      await passTurns(round % 9);
      purge.click();
      await passFrames(2);
    }

    await waitFor(() => expect(query()).toBe(''));
    await passFrames(2);
    expect(scrolled).not.toHaveBeenCalled();
  });
});

describe('a command that needs a service', () => {
  const others = titlesIn('misc');
  const added = titlesIn('misc', ['spotify']).filter((title) => !others.includes(title));

  test('is added when the server has answered, and moves nothing', async () => {
    const { answer } = await openBeforeAnswer('?category=misc');
    expect(listed()).toEqual(others);

    answer();

    await waitFor(() => expect(listed()).toEqual([...others, ...added]));
  });

  test('is opened by its link as soon as it is there', async () => {
    const { answer } = await openBeforeAnswer('?command=link');
    expect(selectedTab()).toBe('Misc Tools');
    expect(screen.queryByText('How to use:')).toBeNull();

    answer();

    expect(await item('Connect accounts')).toHaveAttribute('aria-expanded', 'true');
  });

  test('is found by the search', async () => {
    const { user } = await openFeatures('', { server: await startServer(connected) });

    await user.type(searchBox(), 'spotify');

    await waitFor(() => expect(listed()).toContain('Connect accounts'));
  });

  test.each([
    ['the service is not connected', unconnected],
    ['no bot hears it', { variables: { ...connected.variables, BOT_MODE: 'off' } }],
  ])('is neither listed nor found where %s', async (_case, options) => {
    const app = await openFeatures('?category=misc', { server: await startServer(options) });
    await waitFor(() => expect(app.server.requestsTo(readCommands)).toHaveLength(1));
    expect(listed()).toEqual(others);

    await app.user.type(searchBox(), '/link');

    expect(await screen.findByText('No features found matching "/link"')).toBeVisible();
  });

  test('is left out when the server fails, and the page says nothing about it', async () => {
    const app = await openFeatures('?category=misc', {
      server: await startServer(connected),
      onConnect: (network) => network.refuse(readCommands, { status: 503 }),
    });

    await waitFor(() => expect(app.server.requestsTo(readCommands)).toHaveLength(1));
    expect(listed()).toEqual(others);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is left out at a backend without this call, which is not asked', async () => {
    const app = await openFeatures('?category=misc', { isForeign: true });

    await waitFor(() => expect(app.server.requestsTo(readCapabilities)).toHaveLength(1));
    expect(listed()).toEqual(others);
    expect(app.server.requestsTo(readCommands)).toHaveLength(0);
  });

  test('may stand beside commands of a newer server, which are left out', async () => {
    await openFeatures('?category=misc', {
      onConnect: (network) =>
        network.refuse(readCommands, { status: 200, body: { commands: ['later', 'link'] } }),
    });

    await waitFor(() => expect(listed()).toEqual([...others, 'Connect accounts']));
  });
});

describe('what is found in any chat', () => {
  const openInline = () =>
    openFeatures('?category=inline', {
      bot: 'nori_bot',
      onConnect: (network) =>
        network.refuse(readCommands, {
          status: 200,
          body: { commands: [...commandsIn('inline')] },
        }),
    });

  test('is listed where the bot hears it', async () => {
    await openInline();

    const titles = commandsIn('inline').map((id) => commandTexts[id].title);
    await waitFor(() => expect(new Set(listed())).toEqual(new Set(titles)));
  });

  test('is tried as it is typed, with the name of the bot', async () => {
    const { user } = await openInline();

    await user.click(await item('Calculator'));

    const shown = await body('Calculator');
    expect(shown.getByRole('list')).toHaveTextContent('@nori_bot calc 2^10 / 3');
    expect(shown.getByRole('link', { name: 'Try in Telegram' })).toHaveAttribute(
      'href',
      `https://t.me/nori_bot?text=${encodeURIComponent('@nori_bot calc 2^10 / 3')}`,
    );
  });
});

describe('"Try in Telegram"', () => {
  test('opens the bot with the command ready', async () => {
    const { user } = await openFeatures('?command=ban', { bot: 'nori_bot' });
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);

    const link = await (await body('Ban')).findByRole('link', { name: 'Try in Telegram' });
    expect(link).toHaveAttribute('href', 'https://t.me/nori_bot?text=%2Fban');
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
    await user.click(link);

    expect(opened.mock.calls[0]?.[0]).toBe('https://t.me/nori_bot?text=%2Fban');
  });

  test('opens the chat in Telegram itself, inside Telegram', async () => {
    const { user, bridge } = await openFeatures('?command=help', {
      bot: 'nori_bot',
      launch: { telegramId: 4242 },
    });

    await user.click(await (await body('Help')).findByRole('link', { name: 'Try in Telegram' }));

    expect(
      bridge?.sent.findLast(({ name }) => name === 'web_app_open_tg_link')?.data,
    ).toMatchObject({ path_full: '/nori_bot?text=%2Fhelp' });
  });

  test('says what is missing when no bot is set', async () => {
    await openFeatures('?command=ban');
    const usage = await body('Ban');

    expect(await usage.findByText(/VITE_BOT_USERNAME/)).toBeVisible();
    expect(usage.getByRole('button', { name: 'Try in Telegram' })).toBeDisabled();
    expect(usage.queryByRole('link', { name: 'Try in Telegram' })).toBeNull();
  });
});

async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await nextTurn();
  }
}

async function passFrames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
