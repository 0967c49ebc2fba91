/** A row of cards that scrolls sideways. Cards are rendered as they are scrolled to. */
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

import { readingKey } from './direction.tsx';

import styles from './strip.module.css';

type StripHandle = {
  /** Scrolls to an item; with `focus` its card gets the focus. */
  readonly scrollToItem: (id: string, options?: { readonly focus?: boolean }) => void;
};

type StripProps<Item> = {
  /** The accessible name of the list. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly getKey: (item: Item) => string;
  /** The accessible name of a card. */
  readonly getName: (item: Item) => string;
  /** Renders a card, which fills its cell. Its controls get `tabIndex`. */
  readonly render: (item: Item, tabIndex: 0 | -1) => ReactNode;
  /** Called for Enter on a focused card. */
  readonly onOpen: (item: Item) => void;
  readonly ref?: Ref<StripHandle>;
};

/** The number of cards that are added at a time, and how many px before the end. */
const batch = 12;
const nearEndPx = 900;

/** Tab reaches one card; arrow keys, Home and End move between cards. Enter opens a card, Tab moves into it. */
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
    // The list only handles keys that its cards have not used.
    <ul
      ref={row}
      // Safari removes the role from a list without bullets.
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

/** The focusable card, the number of rendered cards, and the keys. */
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
    const next = keyTarget(readingKey(event.key), index, items.length);
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

  // New cards come first and are to be seen.
  useLayoutEffect(() => {
    const key = items[0] && getKey(items[0]);
    if (firstKey.current !== undefined && firstKey.current !== key) {
      row.current?.scrollTo({ left: 0 });
    }
    firstKey.current = key;
  });

  // When the focused card is removed, the next one gets the focus.
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
        // `relatedTarget` is null when the focused card is removed.
        hasFocus.current =
          relatedTarget === null ? hasFocus.current : currentTarget.contains(relatedTarget);
      },
      onScroll: ({ currentTarget }: UIEvent<HTMLUListElement>) => {
        const { scrollLeft, clientWidth, scrollWidth } = currentTarget;
        // It is negative where lines run to the left.
        if (Math.abs(scrollLeft) + clientWidth > scrollWidth - nearEndPx && count < items.length) {
          setCount(count + batch);
        }
      },
    },
  };
}

/** The index that a key of `readingKey` moves to; undefined for other keys and at the ends. */
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
