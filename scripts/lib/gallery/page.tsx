/** The page of `npm run bench:gallery`: one gallery of many cards, ours or virtua's, ready to be scrolled. */
import { type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { WindowMasonry } from 'virtua';

import { Masonry, type MasonryCard, useColumns } from '#ui/masonry';

import { Card } from './card.tsx';
import { type BenchItem, makeItems } from './items.ts';
import { type GalleryKind, measureJump, type Scrolled, scrollAndMeasure } from './measure.ts';
import { columnRules, gap, keyOf, nameOf, rowPx, sizeOf } from './shared.ts';

type GalleryProps = { readonly items: readonly BenchItem[] };

function Ours({ items }: GalleryProps) {
  const columns = useColumns(columnRules);
  return (
    <Masonry
      label="Models"
      items={items}
      keyOf={keyOf}
      sizeOf={sizeOf}
      nameOf={nameOf}
      render={renderCard}
      columns={columns}
      gap={gap}
      total={items.length}
    />
  );
}

const renderCard = (item: BenchItem, { tabIndex }: MasonryCard) => (
  <Card item={item} tabIndex={tabIndex} />
);

type VirtuaProps = GalleryProps & {
  /** How far ahead it mounts, in px; its own default when absent. */
  readonly ahead: number | undefined;
};

function Virtua({ items, ahead }: VirtuaProps) {
  const columns = useColumns(columnRules);
  const laneWidth = (document.documentElement.clientWidth + gap) / columns - gap;
  return (
    <WindowMasonry
      data={items}
      lanes={columns}
      gap={gap}
      {...(ahead !== undefined && { bufferSize: ahead })}
    >
      {(item) => (
        // It measures what it is given: the card has its height before the picture is there.
        <div key={item.id} style={{ blockSize: (laneWidth * item.height) / item.width + rowPx }}>
          <Card item={item} />
        </div>
      )}
    </WindowMasonry>
  );
}

const galleries = {
  ours: ({ items }: GalleryProps) => <Ours items={items} />,
  virtua: ({ items }: GalleryProps) => <Virtua items={items} ahead={undefined} />,
  'virtua 600': ({ items }: GalleryProps) => <Virtua items={items} ahead={600} />,
} as const satisfies Record<GalleryKind, (props: GalleryProps) => ReactNode>;

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only interfaces can be merged.
  interface Window {
    bench?: {
      readonly prepare: (count: number) => Promise<void>;
      readonly show: (kind: GalleryKind) => void;
      /** How far the card in the middle of the screen moved when one was put in front, in px. */
      readonly putInFront: () => Promise<number>;
      readonly scroll: (options: { speed: number; seconds: number }) => Promise<Scrolled>;
    };
  }
}

const root = document.querySelector('#root');
if (root === null) {
  throw new Error('The page has no place for the gallery');
}
const drawn = createRoot(root);
let items: readonly BenchItem[] = [];
let shownKind: GalleryKind = 'ours';

// The bench takes these steps one by one, to read the heap between them.
window.bench = {
  async prepare(count) {
    items = await makeItems(count);
  },
  show(kind) {
    shownKind = kind;
    drawn.render(galleries[kind]({ items }));
  },
  scroll: scrollAndMeasure,
  putInFront() {
    const [first] = items;
    items = first ? [{ ...first, id: 'new' }, ...items] : items;
    return measureJump(() => window.bench?.show(shownKind));
  },
};
