/** A menu of actions: beside the button that opens it, or where the user has pressed for long. */
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router-dom';

import { IconButton } from './button.tsx';
import { dialogStack } from './dialog.tsx';
import { pageDirection } from './direction.tsx';

import styles from './menu.module.css';

type MenuItem = {
  readonly text: string;
  /** The accessible name, where `text` alone has many meanings on the page; it begins with `text`. */
  readonly label?: string;
  /** What the action is about, after the text. */
  readonly remark?: string | undefined;
  readonly icon?: ReactNode;
  readonly className?: string | undefined;
} & ({ readonly to: string } | { readonly onSelect: () => void });

export type MenuItems = readonly MenuItem[];

type Point = { readonly x: number; readonly y: number };

type MenuProps = {
  readonly label: string;
  readonly items: MenuItems;
  /** Gets the focus back. The menu stands beside it, or at `point`. */
  readonly opener: HTMLElement;
  readonly point?: Point | undefined;
  readonly onClose: () => void;
};

/** Between the menu and the edges of the window, in px. */
const margin = 8;

export function Menu({ label, items, opener, point, onClose, id }: MenuProps & { id?: string }) {
  const menu = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);

  function leave(): void {
    opener.focus({ preventScroll: true });
    onClose();
  }

  useLayoutEffect(() => {
    const element = menu.current;
    if (!element) {
      return undefined;
    }
    const place = () => moveBeside(element, point ?? opener);
    place();
    getItems(element)[0]?.focus({ preventScroll: true });
    // A keyboard that closes resizes the window after the menu has opened.
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place);
    return () => {
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place);
    };
  }, [opener, point]);

  // The container's back button closes it like a dialog.
  useEffect(() => dialogStack.enter({ close: () => close() }), []);

  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') {
      // The browser then goes on from the opener.
      leave();
      return;
    }
    if (event.key === 'Escape') {
      leave();
    } else if (!moveFocus(event.currentTarget, event.key)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return createPortal(
    <>
      {/* Pressing beside the menu closes it, and nothing else. Keyboards have Escape. */}
      <div
        aria-hidden
        className={styles.around}
        onClick={(event) => {
          // Neither does it reach what the menu stands in, such as a viewer that a click closes.
          event.stopPropagation();
          leave();
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          leave();
        }}
      />
      <div
        ref={menu}
        id={id}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={styles.menu}
        onKeyDown={press}
      >
        {items.map((item) => (
          <Item key={item.text} item={item} onPress={leave} />
        ))}
      </div>
    </>,
    // Above a modal dialog is only what is inside of it; elsewhere a landmark holds all content.
    opener.closest('dialog, main') ?? document.body,
  );
}

function Item({ item, onPress }: { readonly item: MenuItem; readonly onPress: () => void }) {
  const { text, label, remark, icon, className } = item;
  const shared = {
    role: 'menuitem',
    tabIndex: -1,
    'aria-label': label,
    className: [styles.item, className].filter(Boolean).join(' '),
  } as const;
  const content = (
    <>
      {icon}
      <span className={styles.text}>{text}</span>
      {remark !== undefined && (
        <span className={styles.remark} dir="auto">
          {remark}
        </span>
      )}
    </>
  );
  return 'to' in item ? (
    <Link {...shared} to={item.to} onClick={onPress}>
      {content}
    </Link>
  ) : (
    <button
      {...shared}
      type="button"
      onClick={() => {
        // First, so that a dialog that is opened here returns the focus to the menu's opener.
        onPress();
        item.onSelect();
      }}
    >
      {content}
    </button>
  );
}

type MenuButtonProps = {
  readonly label: string;
  /** Called when the menu opens. */
  readonly items: () => MenuItems;
  /** Three dots when absent. */
  readonly icon?: ReactNode;
  readonly isBusy?: boolean;
  readonly className?: string | undefined;
};

/** A button with three dots that opens a menu. */
export function MenuButton({ label, items, icon, isBusy = false, className }: MenuButtonProps) {
  const id = useId();
  const [open, setOpen] = useState<Pick<MenuProps, 'opener' | 'items'>>();
  return (
    <>
      <IconButton
        label={label}
        icon={icon ?? <MenuDots />}
        className={className}
        aria-haspopup="menu"
        aria-expanded={open !== undefined}
        aria-controls={open && id}
        aria-busy={isBusy || undefined}
        onClick={({ currentTarget }) => setOpen({ opener: currentTarget, items: items() })}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            setOpen({ opener: event.currentTarget, items: items() });
          }
        }}
      />
      {open && <Menu {...open} id={id} label={label} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** The icon of a button that opens a menu: one element where a page has hundreds of them. */
export function MenuDots() {
  return <span aria-hidden className={styles.dots} />;
}

function getItems(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

/** Moves the focus as the key asks: by arrows, to an end, or to the next item with that first letter. */
function moveFocus(menu: HTMLElement, key: string): boolean {
  const items = getItems(menu);
  const at = items.findIndex((item) => item === document.activeElement);
  const later = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const found = {
    ArrowDown: later[0],
    ArrowUp: later.at(at === -1 ? -1 : -2) ?? items[0],
    Home: items[0],
    End: items.at(-1),
  }[key];
  const target =
    found ??
    (key.length === 1 && key !== ' '
      ? later.find((item) => item.innerText.trim().toLowerCase().startsWith(key.toLowerCase()))
      : undefined);
  target?.focus({ preventScroll: true });
  return target !== undefined;
}

/** Below the opener and aligned with its end, above where there is no room, and always in the window. */
function moveBeside(menu: HTMLElement, place: HTMLElement | Point): void {
  const { left, right, top, bottom } =
    place instanceof HTMLElement
      ? place.getBoundingClientRect()
      : { left: place.x, right: place.x, top: place.y, bottom: place.y };
  const { offsetWidth: width, offsetHeight: height } = menu;
  const { clientWidth, clientHeight } = document.documentElement;
  const x = pageDirection() === 1 ? right - width : left;
  const y = bottom + height + margin > clientHeight ? top - height : bottom;
  // physical: measured from the left.
  menu.style.left = `${Math.max(margin, Math.min(x, clientWidth - width - margin))}px`;
  menu.style.top = `${Math.max(margin, y)}px`;
}
