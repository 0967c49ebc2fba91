/** A row of cards that scrolls sideways, of which only as many are drawn as have been scrolled to. */
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type UIEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';

import styles from './strip.module.css';

type StripHandle = {
  /** Shows an item, wherever it is; with `focus` its card also gets the focus. */
  readonly scrollToItem: (id: string, options?: { readonly focus?: boolean }) => void;
};

type StripProps<Item> = {
  /** Names the list. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly getKey: (item: Item) => string;
  /** What a card is called when the focus comes to it. */
  readonly getName: (item: Item) => string;
  /** Draws a card, which fills its place. Its controls get `tabIndex`. */
  readonly render: (item: Item, tabIndex: 0 | -1) => ReactNode;
  /** What Enter does on a card that has the focus. */
  readonly onOpen: (item: Item) => void;
  readonly ref?: Ref<StripHandle>;
};

/** So many cards at a time are added before the end is reached, in px. */
const batch = 12;
const nearEndPx = 900;

/**
 * One card at a time is in the order of Tab; the arrow keys, Home and End go from card to card, Enter
 * opens, and Tab enters the card.
 */
export function Strip<Item>({ ref, ...props }: StripProps<Item>) {
  const { label, items, getKey, getName, render } = props;
  const { row, count, stop, show, listeners } = useStrip(props);

  useImperativeHandle(ref, () => ({
    scrollToItem: (id, { focus = false } = {}) =>
      show(
        items.findIndex((item) => getKey(item) === id),
        focus,
      ),
  }));

  return (
    // The list only listens to keys that its cards have not used.
    <ul
      ref={row}
      // Safari takes the role away from a list without bullets.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      className={styles.row}
      aria-label={label}
      {...listeners}
    >
      {items.slice(0, count).map((item, index) => {
        const tabIndex = index === stop ? 0 : -1;
        return (
          <li
            key={getKey(item)}
            className={styles.card}
            tabIndex={tabIndex}
            aria-label={getName(item)}
            aria-posinset={index + 1}
            aria-setsize={items.length}
          >
            {render(item, tabIndex)}
          </li>
        );
      })}
    </ul>
  );
}

/** Which card has its turn, how many are drawn, and what the keys do. */
function useStrip<Item>({
  items,
  getKey,
  onOpen,
}: Pick<StripProps<Item>, 'items' | 'getKey' | 'onOpen'>) {
  const row = useRef<HTMLUListElement>(null);
  const [count, setCount] = useState(batch);
  const [current, setCurrent] = useState(0);
  const stop = Math.min(current, items.length - 1);

  const show = (index: number, isFocused: boolean) => {
    if (index < 0 || index >= items.length) {
      return;
    }
    flushSync(() => {
      setCount((drawn) => Math.max(drawn, index + batch));
      setCurrent(index);
    });
    const card = row.current?.children[index];
    if (card instanceof HTMLElement) {
      card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      if (isFocused) {
        card.focus({ preventScroll: true });
      }
    }
  };

  const press = (event: KeyboardEvent<HTMLUListElement>) => {
    const index = [...event.currentTarget.children].findIndex((card) => card === event.target);
    const next = keyTarget(event.key, index, items.length);
    const item = items[index];
    if (item === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      onOpen(item);
    } else if (next !== undefined) {
      event.preventDefault();
      show(next, true);
    }
  };

  const hasFocus = useRef(false);
  const firstKey = useRef<string>(undefined);

  // What is new comes in front, and is to be seen.
  useLayoutEffect(() => {
    const key = items[0] && getKey(items[0]);
    if (firstKey.current !== undefined && firstKey.current !== key) {
      row.current?.scrollTo({ left: 0 });
    }
    firstKey.current = key;
  });

  // When the card with the focus goes, the one that comes to its place gets it.
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) {
      const card = row.current?.children[stop];
      if (card instanceof HTMLElement) {
        card.focus();
      }
    }
  });

  const follow = ({ target, currentTarget }: FocusEvent<HTMLUListElement>) => {
    hasFocus.current = true;
    const index = [...currentTarget.children].findIndex((card) => card.contains(target));
    if (index >= 0 && index !== current) {
      setCurrent(index);
    }
  };

  return {
    row,
    count,
    stop,
    show,
    listeners: {
      onKeyDown: press,
      onFocus: follow,
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLUListElement>) => {
        // Nobody gets it when its card goes.
        hasFocus.current =
          relatedTarget === null ? hasFocus.current : currentTarget.contains(relatedTarget);
      },
      onScroll: ({ currentTarget }: UIEvent<HTMLUListElement>) => {
        const { scrollLeft, clientWidth, scrollWidth } = currentTarget;
        if (scrollLeft + clientWidth > scrollWidth - nearEndPx && count < items.length) {
          setCount(count + batch);
        }
      },
    },
  };
}

/** Where a key leads from a card; undefined when it is no key of the row, or there is nothing more. */
function keyTarget(key: string, index: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number | undefined>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined || target < 0 || target >= count ? undefined : target;
}
