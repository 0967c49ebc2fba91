/** The page of `npm run bench:gallery`: many cards of the model browser. */
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';

import { type ModelCard as Model } from '#contract/endpoints/models';
import { Masonry, type MasonryCard, useColumns } from '#ui/masonry';

// oxlint-disable-next-line no-restricted-imports -- The product's own card, for which its feature has no door.
import { ModelCard } from '../../../src/features/images/pixai/models/model-card.tsx';
import { type BenchItem, columnRules, gap, getKey, getSize, makeItems } from './items.ts';
import { measureJump, type Scrolled, scrollAndMeasure } from './measure.ts';

function Gallery({ items }: { readonly items: readonly Model[] }) {
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

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only interfaces can be merged.
  interface Window {
    bench?: {
      readonly prepare: (count: number) => Promise<void>;
      readonly show: () => void;
      /** How far the card in the middle of the screen moved when a card was inserted before it, in px. */
      readonly insertFirst: () => Promise<number>;
      readonly scroll: (options: { speed: number; seconds: number }) => Promise<Scrolled>;
    };
  }
}

/** Two of three are LoRAs, which have a checkbox; some are for adults and blurred. */
function toModel({ id, title, width, height, cover }: BenchItem, index: number): Model {
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
    createdAt: 0,
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

// Separate steps, so that the benchmark can read the heap between them.
window.bench = {
  async prepare(count) {
    items = (await makeItems(count)).map(toModel);
  },
  show() {
    drawn.render(
      <MemoryRouter>
        <Gallery items={items} />
      </MemoryRouter>,
    );
  },
  scroll: scrollAndMeasure,
  insertFirst() {
    const [first] = items;
    items = first ? [{ ...first, id: 'new', name: 'The newest' }, ...items] : items;
    return measureJump(() => window.bench?.show());
  },
};
