/** Credits and the privacy policy: their texts, and that they are true. */
import { screen, waitFor, within } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { renderApp } from '#tests/render-app';

const root = join(import.meta.dirname, '../..');
const manifest = (folder: string): unknown =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

afterEach(() => {
  vi.unstubAllEnvs();
});

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('the credits', () => {
  test('are titled "Models", and the navigation calls them credits', async () => {
    await renderApp('/credits');

    expect(await heading('Models')).toBeVisible();
    expect(document.title).toBe('Models and credits · Nori');
    expect(screen.getByRole('link', { name: 'Credits' })).toHaveAttribute('aria-current', 'page');
  });

  test('name the author that the brand has', async () => {
    vi.stubEnv('VITE_AUTHOR', 'Mika of the paper sea');
    await renderApp('/credits');
    await heading('Models');

    expect(screen.getByText('Made by Mika of the paper sea.')).toBeVisible();
  });

  test('lead to the updates channel', async () => {
    vi.stubEnv('VITE_UPDATES_URL', 'https://t.me/nori_news');
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    const { user } = await renderApp('/credits');
    await heading('Models');

    const link = screen.getByRole('link', { name: 'Updates channel' });
    expect(link).toHaveAttribute('href', 'https://t.me/nori_news');
    await user.click(link);

    expect(opened.mock.calls[0]?.[0]).toBe('https://t.me/nori_news');
  });

  test('show the channel as not set, with the variable that sets it', async () => {
    await renderApp('/credits');
    await heading('Models');

    const button = screen.getByRole('button', { name: 'Updates channel' });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription('Set VITE_UPDATES_URL to link this');
    expect(screen.queryByRole('link', { name: 'Updates channel' })).toBeNull();
  });

  test('name every provider of pictures and data', async () => {
    await renderApp('/credits');
    await heading('Models');

    const providers = within(screen.getByRole('list', { name: 'Providers' }));
    expect(providers.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'PixAI',
      'Kusa',
      'Imagine Art',
      'Midjourney',
      'AniList',
      'Spotify',
      'LibreTranslate',
      'MyMemory',
      'Wikipedia',
      'Wiktionary',
      'Open-Meteo',
      'Telegram',
    ]);
  });

  test('name every installed package with its actual licence', async () => {
    const { dependencies } = v.parse(
      v.object({ dependencies: v.record(v.string(), v.string()) }),
      manifest('.'),
    );
    const packages = Object.keys(dependencies);
    await renderApp('/credits');
    await heading('Models');

    const rows = within(screen.getByRole('list', { name: 'Open source' })).getAllByRole('listitem');
    // oxlint-disable-next-line no-restricted-imports -- The list itself, to compare it with the installed packages.
    const { parts } = await import('../../src/features/about/open-source.ts');

    expect(parts.flatMap((part) => part.packages).toSorted()).toEqual(packages.toSorted());
    for (const { name, packages: names, licence } of parts) {
      const row = rows.find((each) => each.querySelector('a')?.textContent === name);
      expect(row).toHaveTextContent(`${licence} licence`);
      for (const each of names) {
        expect(manifest(`node_modules/${each}`)).toMatchObject({ license: licence });
      }
    }
    expect(rows).toHaveLength(parts.length);
    expect(manifest('.')).toMatchObject({ license: 'MIT' });
    expect(screen.getByText('Nori is free software under the MIT licence.')).toBeVisible();
  });

  test('open their links outside of Telegram’s app', async () => {
    const { user, bridge } = await renderApp('/credits', { launch: { telegramId: 4242 } });
    await heading('Models');
    await screen.findByRole('button', { name: 'More' });

    await user.click(screen.getByRole('link', { name: 'Hono' }));

    expect(bridge?.sent.findLast(({ name }) => name === 'web_app_open_link')?.data).toMatchObject({
      url: expect.stringMatching(/^https:\/\/hono\.dev\/?$/),
    });
  });
});

describe('the privacy policy', () => {
  test('has its sections, in order, and its date', async () => {
    await renderApp('/privacy-policy');

    expect(await heading('Privacy Policy')).toBeVisible();
    expect(document.title).toBe('Privacy Policy · Nori');
    expect(screen.getByText('Last updated: May 2025')).toBeVisible();
    expect(screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent)).toEqual([
      'Without an account',
      'Your Telegram user ID',
      'Your chats',
      'Data security',
      'Contact',
    ]);
  });

  test.each([
    ['Without an account', /No data is collected without login on these pages\./],
    [
      'Your Telegram user ID',
      /used to create your account and to store the history of the images you generate\. It is not shared with third parties\./,
    ],
    [
      'Your chats',
      /When the bot is added to a chat, the Telegram chat ID is stored and tied to your account\./,
    ],
    ['Data security', /stored as hashes/],
    ['Contact', /on Telegram/],
  ])('has the section "%s" with the text of the specification', async (name, sentence) => {
    await renderApp('/privacy-policy');

    const section = (await screen.findByRole('heading', { level: 2, name })).parentElement;

    expect(section).toHaveTextContent(sentence);
  });

  test('leads to the support on Telegram', async () => {
    vi.stubEnv('VITE_SUPPORT_URL', 'https://t.me/nori_support');
    const { user, bridge } = await renderApp('/privacy-policy', { launch: { telegramId: 4242 } });
    await screen.findByRole('button', { name: 'More' });

    await user.click(await screen.findByRole('link', { name: 'Contact us on Telegram' }));

    await waitFor(() =>
      expect(
        bridge?.sent.findLast(({ name }) => name === 'web_app_open_tg_link')?.data,
      ).toMatchObject({ path_full: '/nori_support' }),
    );
  });

  test('names the missing variable to the operator where there is no contact', async () => {
    await renderApp('/privacy-policy');

    const button = await screen.findByRole('button', { name: 'Contact us on Telegram' });

    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription('Set VITE_SUPPORT_URL to link this');
  });

  test('sends no request', async () => {
    const { server } = await renderApp('/privacy-policy');
    await heading('Privacy Policy');

    expect(server.requests.filter(({ url }) => !url.pathname.endsWith('/health'))).toEqual([]);
  });
});
