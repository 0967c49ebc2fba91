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
  getKey: ({ id }: Picture) => id,
  getSize: ({ height }: Picture) => ({ width: 100, height }),
  getName: ({ id }: Picture) => `Picture ${id}`,
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

test('a card’s own controls keep their keys, and shortcuts stay the browser’s', async () => {
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

  // A button has no use for arrows: from there they lead on.
  await user.tab();
  await user.keyboard('{ArrowDown}');
  expect(card('Picture p3')).toHaveFocus();
});

test('the focus comes back to the card where it was, and others stay out of the way of Tab', async () => {
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

test('while the whole is unknown the list says so; its last row is an item, shimmers are not', () => {
  render(<Masonry {...gallery} items={pictures(3)} placeholders={4} foot="Loading more …" />);

  expect(card('Picture p1')).toHaveAttribute('aria-setsize', '-1');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Like p1',
    'Like p2',
    'Like p3',
    'Loading more …',
  ]);
});

test('near the end it asks for more once, again after a failure, and no longer at the end', () => {
  const loadMore = vi.fn<() => void>();
  const { rerender } = render(<Masonry {...gallery} items={[]} onNearEnd={loadMore} />);
  expect(loadMore).not.toHaveBeenCalled();

  rerender(<Masonry {...gallery} items={pictures(4)} onNearEnd={loadMore} />);
  rerender(<Masonry {...gallery} items={pictures(4)} onNearEnd={() => loadMore()} />);
  expect(loadMore).toHaveBeenCalledTimes(1);

  // It loads, and fails; the person tries again, and four more come.
  rerender(<Masonry {...gallery} items={pictures(4)} onNearEnd={undefined} />);
  expect(loadMore).toHaveBeenCalledTimes(1);
  rerender(<Masonry {...gallery} items={pictures(4)} onNearEnd={loadMore} />);
  expect(loadMore).toHaveBeenCalledTimes(2);
  rerender(<Masonry {...gallery} items={pictures(8)} onNearEnd={loadMore} />);
  expect(loadMore).toHaveBeenCalledTimes(3);

  rerender(<Masonry {...gallery} items={pictures(400)} onNearEnd={loadMore} />);
  expect(loadMore).toHaveBeenCalledTimes(3);
});

test('what is open stays mounted wherever it is, and in its place in the order', () => {
  const { rerender } = render(<Masonry {...gallery} items={pictures(500)} keep={['p400']} />);
  expect(screen.getAllByRole('listitem').at(-1)).toHaveAccessibleName('Picture p400');

  rerender(<Masonry {...gallery} items={pictures(500)} keep={['gone']} />);
  expect(screen.queryByRole('listitem', { name: 'Picture p400' })).not.toBeInTheDocument();
});
