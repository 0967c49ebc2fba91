/** The prerendered page becomes the app's own without a difference. */
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';

import { useBotLink } from '#lib/bot-link';
import { createQueryClient } from '#lib/query-client';

/** A part that links to the bot, as Home does twice. */
function BotPart() {
  const { href } = useBotLink();
  return href === undefined
    ? createElement('button', { disabled: true }, 'Open the Bot')
    : createElement('a', { href }, 'Open the Bot');
}

test('a part that is hydrated when another has already asked for the bot begins as it was prerendered', async () => {
  const container = document.createElement('div');
  // As it was prerendered, before any server was known.
  container.innerHTML = '<button disabled="">Open the Bot</button>';
  document.body.append(container);
  expect(screen.getByRole('button', { name: 'Open the Bot' })).toBeDisabled();

  const queryClient = createQueryClient();
  queryClient.setQueryData(['capabilities'], {
    capabilities: [],
    bot_username: 'nori_example_bot',
  });
  const differences: unknown[] = [];
  const root = hydrateRoot(
    container,
    createElement(QueryClientProvider, { client: queryClient }, createElement(BotPart)),
    {
      onRecoverableError: (difference) => differences.push(difference),
    },
  );
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });

  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'Open the Bot' })).toHaveAttribute(
      'href',
      'https://t.me/nori_example_bot',
    ),
  );
  expect(differences).toEqual([]);
});
