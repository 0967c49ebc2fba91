/** A gallery as people with a keyboard or a screen reader meet it, without a layout of the browser. */
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { Masonry, type MasonryCard } from '#ui/masonry';

type Picture = { readonly id: string; readonly height: number };

const pictures = (count: number): Picture[] =>
  Array.from({ length: count }, (_picture, index) => ({
    id: `p${index + 1}`,
    height: 100 + ((index * 37) % 80),
  }));

function draw({ id }: Picture, { tabIndex }: MasonryCard) {
  return (
    <button type="button" tabIndex={tabIndex}>
      Like {id}
    </button>
  );
}

const gallery = {
  label: 'Pictures',
  keyOf: ({ id }: Picture) => id,
  sizeOf: ({ height }: Picture) => ({ width: 100, height }),
  nameOf: ({ id }: Picture) => `Picture ${id}`,
  render: draw,
  columns: 2,
};

const card = (name: string) => screen.getByRole('listitem', { name });

test('is a list that knows how many items it has although few of them are mounted', () => {
  render(<Masonry {...gallery} items={pictures(1000)} total={1000} />);

  const list = screen.getByRole('list', { name: 'Pictures' });
  const cards = within(list).getAllByRole('listitem');
  expect(cards.length).toBeLessThan(40);
  expect(cards.map((item) => item.getAttribute('aria-label'))).toEqual(
    cards.map((_item, index) => `Picture p${index + 1}`),
  );
  expect(card('Picture p3')).toHaveAttribute('aria-posinset', '3');
  expect(card('Picture p3')).toHaveAttribute('aria-setsize', '1000');
});

test('arrow keys go from card to card, Tab into a card and out of the gallery', async () => {
  const user = userEvent.setup();
  const open = vi.fn<(picture: Picture) => void>();
  render(
    <>
      <Masonry {...gallery} items={pictures(6)} onOpen={open} />
      <button type="button">After</button>
    </>,
  );

  await user.tab();
  expect(card('Picture p1')).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(card('Picture p2')).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(open).toHaveBeenCalledWith(expect.objectContaining({ id: 'p2' }));
  await user.tab();
  expect(screen.getByRole('button', { name: 'Like p2' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('button', { name: 'After' })).toHaveFocus();
});

test('End goes to a card that was not mounted, and Home back', async () => {
  const user = userEvent.setup();
  render(<Masonry {...gallery} items={pictures(500)} />);
  expect(screen.queryByRole('listitem', { name: 'Picture p500' })).not.toBeInTheDocument();

  await user.tab();
  await user.keyboard('{End}');
  expect(card('Picture p500')).toHaveFocus();
  await user.keyboard('{Home}');
  expect(card('Picture p1')).toHaveFocus();
});
