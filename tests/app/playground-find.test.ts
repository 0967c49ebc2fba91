/** Searching in an answer: folded lines open, and the line of the hit scrolls into view. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { openPlayground, run, findWire } from '#tests/playground';

const lineText = (line: Element | null) => line?.querySelector('code')?.textContent.trim();
const currentLine = (body: HTMLElement) => lineText(body.querySelector('[data-current]'));

test('scrolls to the right line of a very long answer in which all is folded', async () => {
  const { user, server } = await openPlayground();
  const count = 300_000;
  server.refuse(findWire('anime-sfw'), {
    status: 200,
    body: { rows: Array.from({ length: count }, (_row, index) => index) },
  });
  await run(user);
  const body = await screen.findByRole('region', { name: 'Body of the answer' });
  const tops: number[] = [];
  Object.assign(body, { scrollTo: ({ top }: { readonly top: number }) => tops.push(top) });

  await user.click(screen.getByRole('button', { name: 'Fold all' }));
  expect(body.querySelectorAll('code')).toHaveLength(3);
  await user.type(screen.getByRole('searchbox', { name: 'Search the answer' }), '299999');
  await screen.findByText('1 of 1');
  await user.keyboard('{Enter}');

  await waitFor(() => expect(tops).toHaveLength(1));
  // The box is limited to 6,000,000 px, which is less than its lines need; the last line is at its end.
  expect(tops[0]).toBeGreaterThan(5_999_000);
  expect(tops[0]).toBeLessThan(6_000_000);
  body.scrollTop = Number(tops[0]);
  body.dispatchEvent(new Event('scroll'));
  await waitFor(() => expect(currentLine(body)).toBe('299999'));
});

test('steps back and forth, past the end, and unfolds what hides a hit', async () => {
  const { user, server } = await openPlayground();
  server.refuse(findWire('anime-sfw'), {
    status: 200,
    body: { first: { name: 'Holo' }, second: { name: 'holograph' } },
  });
  await run(user);
  const body = await screen.findByRole('region', { name: 'Body of the answer' });
  await user.click(screen.getByRole('button', { name: 'Fold all' }));
  await user.type(screen.getByRole('searchbox', { name: 'Search the answer' }), 'holo');
  await screen.findByText('1 of 2');

  await user.click(screen.getByRole('button', { name: 'Previous match' }));
  expect(screen.getByText('2 of 2')).toBeVisible();
  expect(currentLine(body)).toBe('"name": "holograph"');
  expect(screen.getByRole('button', { name: 'Unfold line 2' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Next match' }));

  expect(screen.getByText('1 of 2')).toBeVisible();
  expect(currentLine(body)).toBe('"name": "Holo"');
});

test('a line folds and unfolds by its arrow', async () => {
  const { user, server } = await openPlayground();
  server.refuse(findWire('anime-sfw'), { status: 200, body: { tags: ['a', 'b'], id: 1 } });
  await run(user);
  const body = await screen.findByRole('region', { name: 'Body of the answer' });
  const shown = () => [...body.querySelectorAll('code')].map((line) => line.textContent);

  const arrow = screen.getByRole('button', { name: 'Fold line 2' });
  expect(arrow).toHaveAttribute('aria-expanded', 'true');
  await user.click(arrow);
  expect(shown()).toEqual(['{', '  "tags": [ … ],', '  "id": 1', '}']);
  await user.click(screen.getByRole('button', { name: 'Unfold line 2' }));

  expect(shown()).toHaveLength(7);
});
