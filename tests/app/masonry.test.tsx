/** The masonry for users of a keyboard or a screen reader; the test environment has no layout. */
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
  getKey: ({ id }: Picture) => id,
  getSize: ({ height }: Picture) => ({ width: 100, height }),
  getName: ({ id }: Picture) => `Picture ${id}`,
  render: draw,
  columns: 2,
};

const card = (name: string) => screen.getByRole('listitem', { name });

test('is a list with its total number of items, although few are mounted', () => {
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

test('arrow keys move between cards, Tab moves into a card and out of the gallery', async () => {
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

test('End moves to a card that was not mounted, and Home back', async () => {
  const user = userEvent.setup();
  render(<Masonry {...gallery} items={pictures(500)} />);
  expect(screen.queryByRole('listitem', { name: 'Picture p500' })).not.toBeInTheDocument();

  await user.tab();
  await user.keyboard('{End}');
  expect(card('Picture p500')).toHaveFocus();
  await user.keyboard('{Home}');
  expect(card('Picture p1')).toHaveFocus();
});

test('controls of a card handle their own keys, and shortcuts are left to the browser', async () => {
  const user = userEvent.setup();
  const open = vi.fn<(picture: Picture) => void>();
  render(
    <Masonry
      {...gallery}
      items={pictures(6)}
      onOpen={open}
      render={({ id }, { tabIndex }) => (
        <>
          <input type="text" aria-label={`Note on ${id}`} tabIndex={tabIndex} />
          <button type="button" tabIndex={tabIndex}>
            Like {id}
          </button>
        </>
      )}
    />,
  );

  await user.tab();
  await user.keyboard('{Control>}{End}{/Control}');
  expect(card('Picture p1')).toHaveFocus();

  await user.tab();
  await user.keyboard('ab{ArrowLeft}c{Enter}');
  expect(screen.getByRole('textbox', { name: 'Note on p1' })).toHaveValue('acb');
  expect(screen.getByRole('textbox', { name: 'Note on p1' })).toHaveFocus();
  expect(open).not.toHaveBeenCalled();

  // A button does not use arrow keys, so they move to the next card.
  await user.tab();
  await user.keyboard('{ArrowDown}');
  expect(card('Picture p3')).toHaveFocus();
});

test('the focus returns to the card that had it, and Tab skips the other cards', async () => {
  const user = userEvent.setup();
  render(
    <>
      <Masonry {...gallery} items={pictures(6)} />
      <button type="button">After</button>
    </>,
  );

  await user.tab();
  await user.keyboard('{ArrowDown}');
  await user.click(screen.getByRole('button', { name: 'After' }));
  await user.tab({ shift: true });
  expect(screen.getByRole('button', { name: 'Like p3' })).toHaveFocus();
  await user.tab({ shift: true });
  expect(card('Picture p3')).toHaveFocus();
  await user.tab({ shift: true });
  expect(document.body).toHaveFocus();
});

test('with an unknown total the list says so; its last row is an item, placeholders are not', () => {
  render(<Masonry {...gallery} items={pictures(3)} placeholders={4} foot="Loading more …" />);

  expect(card('Picture p1')).toHaveAttribute('aria-setsize', '-1');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Like p1',
    'Like p2',
    'Like p3',
    'Loading more …',
  ]);
});

test('near its end it loads more once, again after a failure, and not at the end', () => {
  const loadMore = vi.fn<() => void>();
  const { rerender } = render(<Masonry {...gallery} items={[]} onNearEnd={loadMore} />);
  expect(loadMore).not.toHaveBeenCalled();

  rerender(<Masonry {...gallery} items={pictures(4)} onNearEnd={loadMore} />);
  rerender(<Masonry {...gallery} items={pictures(4)} onNearEnd={() => loadMore()} />);
  expect(loadMore).toHaveBeenCalledTimes(1);

  // Loading fails; the user tries again, and four more items arrive.
  rerender(<Masonry {...gallery} items={pictures(4)} onNearEnd={undefined} />);
  expect(loadMore).toHaveBeenCalledTimes(1);
  rerender(<Masonry {...gallery} items={pictures(4)} onNearEnd={loadMore} />);
  expect(loadMore).toHaveBeenCalledTimes(2);
  rerender(<Masonry {...gallery} items={pictures(8)} onNearEnd={loadMore} />);
  expect(loadMore).toHaveBeenCalledTimes(3);

  rerender(<Masonry {...gallery} items={pictures(400)} onNearEnd={loadMore} />);
  expect(loadMore).toHaveBeenCalledTimes(3);
});

test('an item to keep stays mounted at any position, and in its order', () => {
  const { rerender } = render(<Masonry {...gallery} items={pictures(500)} keep={['p400']} />);
  expect(screen.getAllByRole('listitem').at(-1)).toHaveAccessibleName('Picture p400');

  rerender(<Masonry {...gallery} items={pictures(500)} keep={['gone']} />);
  expect(screen.queryByRole('listitem', { name: 'Picture p400' })).not.toBeInTheDocument();
});
