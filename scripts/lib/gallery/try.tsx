/**
 * The gallery alone, for browser tests. The query says how many pictures there are (`items`), how many
 * arrive at a time (`page`), and the height of the scrolling box (`box`, in px), if any: the gallery's own,
 * or with `around` one that also has the heading in it. With `held`, later pages arrive only when the button
 * is pressed.
 */
import { StrictMode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

import { Masonry, type MasonryCard, type MasonryHandle, useColumns } from '#ui/masonry';

import { Card } from './card.tsx';
import { type BenchItem, columnRules, gap, getKey, getSize, makeItems } from './items.ts';

const query = new URLSearchParams(location.search);
const readNumber = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
const total = readNumber('items', 500);
const pageSize = readNumber('page', total);
const box = readNumber('box', 0);
const isAround = query.has('around');
/** The delay of a good network, in ms. */
const answerMs = 150;
const placeKey = 'place';

const everything = await makeItems(total + 3);
/** Items to insert first; they are the last of those made. */
const newest = everything.splice(total);

function Try() {
  const [items, setItems] = useState<readonly BenchItem[]>([]);
  const [asked, setAsked] = useState(0);
  const [isLoading, setLoading] = useState(true);
  const [opened, setOpened] = useState<string>();
  const gallery = useRef<MasonryHandle>(null);
  const columns = useColumns(columnRules);
  // Not `items.length`: a removed item does not arrive again.
  const [arrived, setArrived] = useState(0);
  const isWhole = arrived >= total;

  const arrive = useCallback(() => {
    setLoading(false);
    setArrived(arrived + pageSize);
    setItems((known) => [...known, ...everything.slice(arrived, arrived + pageSize)]);
  }, [arrived]);
  const comesByItself = isLoading && (items.length === 0 || !query.has('held'));
  useEffect(() => {
    const timer = comesByItself ? setTimeout(arrive, answerMs) : undefined;
    return () => clearTimeout(timer);
  }, [comesByItself, arrive]);

  useLayoutEffect(() => {
    const place = sessionStorage.getItem(placeKey);
    if (place !== null) {
      gallery.current?.restore(JSON.parse(place));
    }
    const keep = () => {
      sessionStorage.setItem(placeKey, JSON.stringify(gallery.current?.snapshot()));
    };
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, []);

  useEffect(() => {
    const remove = ({ key }: KeyboardEvent) => {
      const card = document.activeElement?.closest<HTMLElement>('[data-index]');
      if (key === 'Delete' && card) {
        setItems((known) => known.toSpliced(Number(card.dataset['index']), 1));
      }
    };
    window.addEventListener('keydown', remove);
    return () => window.removeEventListener('keydown', remove);
  }, []);

  return (
    <main style={{ padding: 16, ...(isAround && { blockSize: box, overflow: 'auto' }) }}>
      <div style={{ position: 'fixed', insetBlockEnd: 0, zIndex: 2 }}>
        <button type="button" onClick={() => setItems((known) => [...newest, ...known])}>
          Three more in front
        </button>
        <button
          type="button"
          onClick={() => gallery.current?.scrollToItem(items[299]?.id ?? '', { focus: true })}
        >
          Go to number 300
        </button>
        <button type="button" onClick={arrive}>
          Let it arrive
        </button>
        <button type="button" onClick={() => setOpened(undefined)}>
          Close
        </button>
        <output>{`asked ${asked} times, ${items.length} of ${total}`}</output>
      </div>
      <h1 style={{ blockSize: 300 }}>Pictures</h1>
      <Masonry
        ref={gallery}
        label="Pictures"
        items={items}
        getKey={getKey}
        getSize={getSize}
        getName={getName}
        render={draw}
        columns={columns}
        gap={gap}
        total={total}
        placeholders={isLoading ? 4 : 0}
        foot={isWhole ? 'That is all' : isLoading ? 'Loading more' : undefined}
        keep={opened === undefined ? [] : [opened]}
        onOpen={({ id }) => setOpened(id)}
        {...(box > 0 && !isAround && { maxHeight: box })}
        onNearEnd={
          isLoading || isWhole
            ? undefined
            : () => {
                setAsked((times) => times + 1);
                setLoading(true);
              }
        }
      />
    </main>
  );
}

const getName = ({ title }: BenchItem) => title;

function draw(item: BenchItem, { tabIndex }: MasonryCard) {
  return <Card item={item} tabIndex={tabIndex} />;
}

const place = document.querySelector('#root');
if (place === null) {
  throw new Error('The page has no place for the gallery');
}
createRoot(place).render(
  <StrictMode>
    <Try />
  </StrictMode>,
);
