/** The list of commands. Each opens to show its usage; the one in the address is opened and scrolled to. */
import { LayoutDashboard, Send } from 'lucide-react';
import { Fragment, useEffect, useRef, useState } from 'react';

import { type CommandId } from '#contract/commands/index';
import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { useIsOperator } from '#lib/operator';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { ButtonLink } from '#ui/button';
import { Disclosure } from '#ui/disclosure';
import { OutsideButton } from '#ui/outside-button';

import { type CatalogueEntry, type Line, lineText } from './catalogue.ts';
import { texts } from './texts.ts';
import { type usePlace } from './use-place.ts';

import styles from './commands.module.css';

type CommandListProps = {
  readonly commands: readonly CatalogueEntry[];
  readonly place: ReturnType<typeof usePlace>;
  /** The commands come from several categories, so each shows its own. */
  readonly isMixed?: boolean;
};

const elementId = (id: string) => `command-${id}`;

export function CommandList({ commands, place, isMixed = false }: CommandListProps) {
  const [pressed, setPressed] = useState<ReadonlyMap<string, boolean>>(new Map());
  const named = commands.find(({ id }) => id === place.command?.id)?.id;
  /** The command that was last scrolled to or opened by the user, also after it was closed. */
  const shown = useRef<string>(undefined);

  useEffect(() => {
    if (named === undefined || named === shown.current) {
      return undefined;
    }
    // After the page has scrolled to its top, as it does for each new address.
    const frame = requestAnimationFrame(() => {
      shown.current = named;
      document.getElementById(elementId(named))?.closest('li')?.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [named]);

  if (commands.length === 0) {
    return null;
  }

  function toggle({ id, category }: CatalogueEntry, isOpen: boolean): void {
    setPressed(new Map(pressed).set(id, !isOpen));
    if (!isOpen) {
      // It is visible already, so it is not scrolled to; its address can be shared.
      shown.current = id;
      place.change({ command: id });
    } else if (id === shown.current) {
      // `shown` stays: the address of the press that opened it may be rendered only now, and would be scrolled to.
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

/** The placeholder for the bot's name in the table of commands. */
const botName = '@bot';
/** The command that does what the dashboard does. */
const dashboardCommand: CommandId = 'status';

/** How a command is used, and buttons to try it. */
function CommandUsage({ command }: { readonly command: CatalogueEntry }) {
  const platform = usePlatform();
  const isOperator = useIsOperator();
  const { href, isKnown } = useBotLink();
  const noBot = isOperator ? texts.setBot(brand.bot.variable) : texts.noBot;
  const name = href === undefined ? botName : `@${href.slice(href.lastIndexOf('/') + 1)}`;
  const lines = command.usage.map((line) =>
    line.map(({ text, isTyped }) => ({ text: text.replaceAll(botName, name), isTyped })),
  );

  return (
    <div className={styles.usage}>
      <h4 className={styles.how}>{texts.howToUse}</h4>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={lineText(line)}>
            {line.map(({ text, isTyped }) =>
              isTyped ? <Typed key={text} text={text} name={name} /> : text,
            )}
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        {command.id === dashboardCommand && (
          <ButtonLink to={paths.dashboard} icon={<LayoutDashboard aria-hidden size={18} />}>
            {texts.dashboard}
          </ButtonLink>
        )}
        <OutsideButton
          href={href && `${href}?text=${encodeURIComponent(toDraft(lines[0]))}`}
          reason={isKnown ? noBot : ''}
          icon={<Send aria-hidden size={18} />}
          onOpen={platform.openTelegramLink}
        >
          {texts.tryIt}
        </OutsideButton>
      </div>
    </div>
  );
}

/** What is typed, with commands and the bot's name set as code. Read from left to right in every language. */
function Typed({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <bdi dir="ltr">
      {text.split(' ').map((word, index) => {
        const isCode = word.startsWith('/') || word === name;
        return (
          // oxlint-disable-next-line react/no-array-index-key -- A word is identified by its position.
          <Fragment key={index}>
            {index > 0 && ' '}
            {isCode ? <code className={styles.code}>{word}</code> : word}
          </Fragment>
        );
      })}
    </bdi>
  );
}

/** The draft for the chat: the command alone, or the whole inline query. */
function toDraft(line: Line = []): string {
  // Words of a language may stand before it.
  const typed = line.find(({ isTyped }) => isTyped)?.text ?? '';
  return /^\/\w+/.exec(typed)?.[0] ?? lineText(line);
}
