/** Tabs above a panel. Arrow keys move between them; they scroll sideways when they do not fit. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

import { readingKey } from './direction.tsx';

import styles from './tabs.module.css';

type Tab<Id extends string> = {
  readonly id: Id;
  readonly label: string;
  /** Arrow keys only focus it; Enter, space or a press selects it. */
  readonly isByPress?: boolean;
};

type TabsProps<Id extends string> = {
  /** Unique on the page. The ids are `<name>-<id>` for tabs and `<name>-panel` for the panel. */
  readonly name: string;
  /** The accessible name of the list of tabs. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
};

/** The step of each arrow key. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export function Tabs<Id extends string>({ name, label, tabs, selected, onSelect }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const row = list.current;
    const tab = document.getElementById(`${name}-${selected}`);
    if (row && tab) {
      // Scrolls the row only, not the page.
      const middle = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
      row.scrollTo({ left: middle });
    }
  }, [name, selected]);

  function move(event: KeyboardEvent, index: number): void {
    const last = tabs.length - 1;
    const step = steps[readingKey(event.key)];
    const next =
      step === undefined
        ? { Home: 0, End: last }[event.key]
        : (index + step + tabs.length) % tabs.length;
    const tab = next === undefined ? undefined : tabs[next];
    if (!tab) {
      return;
    }
    event.preventDefault();
    document.getElementById(`${name}-${tab.id}`)?.focus();
    if (tab.isByPress !== true) {
      onSelect(tab.id);
    }
  }

  return (
    <div ref={list} role="tablist" aria-label={label} className={styles.list}>
      {tabs.map(({ id, label: text }, index) => (
        <button
          key={id}
          id={`${name}-${id}`}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={id === selected}
          aria-controls={`${name}-panel`}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
          onKeyDown={(event) => move(event, index)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

type TabPanelProps = {
  /** The `name` of its tabs. */
  readonly name: string;
  readonly selected: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
};

/** The content of the selected tab. */
export function TabPanel({ name, selected, children, className }: TabPanelProps) {
  return (
    <div
      id={`${name}-panel`}
      role="tabpanel"
      aria-labelledby={`${name}-${selected}`}
      className={className}
    >
      {children}
    </div>
  );
}
