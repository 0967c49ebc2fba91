/** The link to the support chat: in the footer, and on error pages. */
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { readHealth } from '#contract/endpoints/site';
import { renderApp } from '#tests/render-app';

const support = 'https://t.me/nori_example_support';
const opened = vi.fn<() => null>(() => null);

beforeEach(() => {
  opened.mockClear();
  vi.stubGlobal('open', opened);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.doUnmock('../../src/features/home/home-screen.tsx');
});

/** Error pages, and the part of each that has the link. */
const places: Record<string, () => Promise<HTMLElement>> = {
  'the footer': async () => {
    await renderApp('/login');
    return screen.findByRole('contentinfo');
  },
  'a page that does not exist': async () => {
    await renderApp('/no/such/page');
    await screen.findByRole('heading', { name: 'This page drifted off.' });
    return screen.getByRole('main');
  },
  'a page that broke': async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.doMock('../../src/features/home/home-screen.tsx', () => ({
      HomeScreen: () => {
        throw new Error('a bug of ours');
      },
    }));
    await renderApp('/');
    return screen.findByRole('alert');
  },
  'a backend that is down': async () => {
    const { server } = await renderApp('/login');
    server.drop(readHealth);
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    const text = await screen.findByText('Unable to connect to backend server...');
    return text.closest<HTMLElement>('[role="status"]')!;
  },
};

describe.each(Object.entries(places))('%s', (_place, reach) => {
  test('leads to the support in Telegram', async () => {
    vi.stubEnv('VITE_SUPPORT_URL', support);

    const link = within(await reach()).getByRole('link', { name: 'Support' });
    expect(link).toHaveAttribute('href', support);
    link.click();

    expect(opened).toHaveBeenCalledWith(support, '_blank', 'noopener,noreferrer');
  });

  test('names the missing variable when there is no support', async () => {
    const button = within(await reach()).getByRole('button', { name: 'Support' });

    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription('Set VITE_SUPPORT_URL to link this');
  });
});

test('the footer leads to the privacy policy and shows the year', async () => {
  await renderApp('/login');

  const footer = within(await screen.findByRole('contentinfo'));
  expect(footer.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute(
    'href',
    '/privacy-policy',
  );
  expect(footer.getByText('© 2025 Nori')).toBeVisible();
});

test('a page that does not exist leads on to Home, to the features and to the API', async () => {
  await renderApp('/no/such/page');

  const main = within(await screen.findByRole('main'));
  expect(await main.findByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
  expect(main.getByRole('link', { name: 'Features' })).toHaveAttribute('href', '/features');
  expect(main.getByRole('link', { name: 'API' })).toHaveAttribute('href', '/api');
});
