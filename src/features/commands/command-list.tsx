/** Commands one under the other, each of which opens; the one that the address names is opened and scrolled to. */
import { useEffect, useRef, useState } from 'react';

import { Disclosure } from '#ui/disclosure';

import { type Command } from './catalogue/index.ts';
import { CommandUsage } from './command-usage.tsx';
import { texts } from './texts.ts';
import { type usePlace } from './use-place.ts';

import styles from './commands.module.css';

type CommandListProps = {
  readonly commands: readonly Command[];
  readonly place: ReturnType<typeof usePlace>;
  /** They come from several categories, and each says which. */
  readonly isMixed?: boolean;
};

const elementId = (id: string) => `command-${id}`;

export function CommandList({ commands, place, isMixed = false }: CommandListProps) {
  const [pressed, setPressed] = useState<ReadonlyMap<string, boolean>>(new Map());
  const named = commands.find(({ id }) => id === place.command?.id)?.id;
  /** The command of the address, once it has been scrolled to or was opened here. */
  const shown = useRef<string>(undefined);

  useEffect(() => {
    if (named === undefined || named === shown.current) {
      return undefined;
    }
    // After the page itself has gone to its top, as a new page does.
    const frame = requestAnimationFrame(() => {
      shown.current = named;
      document.getElementById(elementId(named))?.closest('li')?.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [named]);

  if (commands.length === 0) {
    return null;
  }

  function toggle({ id, category }: Command, isOpen: boolean): void {
    setPressed(new Map(pressed).set(id, !isOpen));
    if (!isOpen) {
      // What is opened here is in sight already, but its link is worth sharing.
      shown.current = id;
      place.change({ command: id });
    } else if (id === shown.current) {
      shown.current = undefined;
      place.change({ category, command: undefined });
    }
  }

  return (
    <ul className={styles.list}>
      {commands.map((command) => {
        const { id, title, description, category } = command;
        const isOpen = pressed.get(id) ?? id === named;
        return (
          <li key={id} className={styles.item}>
            <Disclosure
              id={elementId(id)}
              heading={title}
              summary={description}
              remark={isMixed ? texts.categories[category] : undefined}
              isOpen={isOpen}
              onToggle={() => toggle(command, isOpen)}
            >
              <CommandUsage command={command} />
            </Disclosure>
          </li>
        );
      })}
    </ul>
  );
}
