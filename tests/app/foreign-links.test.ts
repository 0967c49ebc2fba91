/** Links of a backend on another origin than the page, which the build names. */
import { expect, test, vi } from 'vitest';

import { card, openHistory } from '#tests/history';
import { remembered } from '#tests/remembered';

// Before the app is imported, as a build has it.
vi.hoisted(() => vi.stubEnv('VITE_BACKEND_URL', 'https://nori.example/backend'));

test.each([
  ['a relative link', '/media/1.png', 'https://nori.example/media/1.png'],
  ['a whole link', 'https://pictures.example/1.png', 'https://pictures.example/1.png'],
])('%s to a picture leads to where the backend means', async (_what, imageUrl, address) => {
  await openHistory([remembered(1, { imageUrl })]);

  const shown = await card('A heron at dusk, number 1');
  // The button around it has the name.
  expect(await shown.findByRole('presentation')).toHaveAttribute('src', address);
});
