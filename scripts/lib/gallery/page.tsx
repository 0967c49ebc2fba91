/** The page of `npm run bench:gallery`: many cards of the model browser, in our gallery or virtua's. */
import { type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { WindowMasonry } from 'virtua';

import { type ModelCard as Model } from '#contract/endpoints/models';
import { Masonry, type MasonryCard, useColumns } from '#ui/masonry';

// oxlint-disable-next-line no-restricted-imports -- The product's own card, for which its feature has no door.
import { ModelCard } from '../../../src/features/images/pixai/models/model-card.tsx';
import { type BenchItem, makeItems } from './items.ts';
import { type GalleryKind, measureJump, type Scrolled, scrollAndMeasure } from './measure.ts';
import { columnRules, gap, getKey, getSize } from './shared.ts';

type GalleryProps = { readonly items: readonly Model[] };

function Ours({ items }: GalleryProps) {
  const columns = useColumns(columnRules);
  return (
    <Masonry
      label="Models"
      items={items}
      getKey={getKey}
      getSize={getSize}
      getName={getName}
      render={renderCard}
      columns={columns}
      gap={gap}
      total={items.length}
    />
  );
}

const getName = ({ name }: Model) => name;
const renderCard = (model: Model, card: MasonryCard) => <ModelCard model={model} card={card} />;

type VirtuaProps = GalleryProps & {
  /** How far ahead it mounts, in px; its own default when absent. */
  readonly ahead: number | undefined;
};

function Virtua({ items, ahead }: VirtuaProps) {
  const columns = useColumns(columnRules);
  const width = (document.documentElement.clientWidth + gap) / columns - gap;
  return (
    <WindowMasonry
      data={items}
      lanes={columns}
      gap={gap}
      {...(ahead !== undefined && { bufferSize: ahead })}
    >
      {(model, index) => {
        // It measures what it is given: the card has its height before the picture is there.
        const size = getSize(model);
        const height = (width * size.height) / size.width + size.extra;
        return (
          <div key={model.id} style={{ height }}>
            <ModelCard model={model} card={{ index, width, height, tabIndex: 0 }} />
          </div>
        );
      }}
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

/** Two of three are LoRAs, which have a tick; some are for adults, and blurred. */
function modelOf({ id, title, width, height, cover }: BenchItem, index: number): Model {
  const isLora = index % 3 !== 0;
  return {
    id,
    modelId: id,
    name: title,
    endpointName: '',
    cover,
    thumbnail: cover,
    width,
    height,
    type: isLora ? 'SDXL_LORA' : 'SDXL_MODEL',
    isLora,
    isNsfw: index % 20 === 7,
    likedCount: index,
    refCount: index,
    tags: [],
    triggerWords: [],
  };
}

const root = document.querySelector('#root');
if (root === null) {
  throw new Error('The page has no place for the gallery');
}
const drawn = createRoot(root);
let items: readonly Model[] = [];
let shownKind: GalleryKind = 'ours';

// The bench takes these steps one by one, to read the heap between them.
window.bench = {
  async prepare(count) {
    items = (await makeItems(count)).map(modelOf);
  },
  show(kind) {
    shownKind = kind;
    drawn.render(<MemoryRouter>{galleries[kind]({ items })}</MemoryRouter>);
  },
  scroll: scrollAndMeasure,
  putInFront() {
    const [first] = items;
    items = first ? [{ ...first, id: 'new', name: 'The newest' }, ...items] : items;
    return measureJump(() => window.bench?.show(shownKind));
  },
};
