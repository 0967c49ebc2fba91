/** The features page: the commands of the bot by category, and a search through all of them. */
import { LayoutDashboard, Send } from 'lucide-react';
import { useDeferredValue, useState, Fragment, useEffect, useRef } from 'react';

import { categories, type Category, type CommandId, findCurrentId } from '#contract/commands/index';
import { useQueryString } from '#lib/address';
import { useAgeOfVisit } from '#lib/age';
import { ageTexts } from '#lib/age-texts';
import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { useIsOffered } from '#lib/offered-commands';
import { useIsOperator } from '#lib/operator';
import { paths } from '#lib/paths';
import { getPlatform, usePlatform } from '#lib/platform';
import { toSearchable, useSearchTerm } from '#lib/search-term';
import { Button, ButtonLink } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { Disclosure } from '#ui/disclosure';
import { EmptyState } from '#ui/empty-state';
import { OutsideButton } from '#ui/outside-button';
import { Page, PageHeader } from '#ui/page';
import { SearchField } from '#ui/search-field';
import { TabPanel, Tabs } from '#ui/tabs';

import {
  adultCategory,
  catalogue,
  type CatalogueEntry,
  firstCategory,
  isCategory,
  lineText,
  type Line,
} from './catalogue.ts';
import { texts } from './texts.ts';

import styles from './commands.module.css';

const tabs = categories.map((id) => ({
  id,
  label: texts.categories[id],
  // Moving along the tabs by arrow keys must not open the age question.
  isByPress: id === adultCategory,
}));

export function FeaturesScreen() {
  const place = usePlace();
  const age = useAgeOfVisit();
  const [term, setTerm] = useSearchTerm(place.term, (q) => place.change({ q }));
  const [isAsking, setIsAsking] = useState(false);
  // Keeps typing fast on a slow phone: the list is drawn later.
  const wanted = useDeferredValue(term.trim());
  const commands = useCommands();
  const all = commands.filter((command) =>
    wanted === '' ? command.category === place.category : matches(command, wanted),
  );
  const listed = all.filter(({ category }) => category !== adultCategory || age.isConfirmed);

  function open(category: Category): void {
    if (category !== place.category) {
      getPlatform().haptic('selection');
    }
    setTerm('');
    place.change({ category, command: undefined, q: undefined });
  }

  function cancel(): void {
    setIsAsking(false);
    if (place.category === adultCategory) {
      place.change({ category: undefined, command: undefined });
    }
  }

  function confirm(): void {
    setIsAsking(false);
    age.confirm();
  }

  return (
    <Page className={styles.screen}>
      <PageHeader heading={texts.heading} lead={texts.lead} />
      <SearchField
        label={texts.search}
        clearLabel={texts.clearSearch}
        value={term}
        onChange={setTerm}
      />
      <Tabs
        name="features"
        label={texts.categoriesLabel}
        tabs={tabs}
        selected={place.category}
        onSelect={open}
      />
      <TabPanel name="features" selected={place.category} className={styles.panel}>
        <h2 className="visually-hidden">
          {wanted === '' ? texts.categories[place.category] : texts.results}
        </h2>
        {/* Always in the page: screen readers announce changes of a live region only. */}
        <output className={styles.outcome}>
          {wanted !== '' && listed.length > 0 && (
            <span className={styles.count}>{texts.found(listed.length)}</span>
          )}
          {listed.length === 0 && (
            <EmptyState
              mood={wanted === '' ? 'sleepy' : 'surprised'}
              title={wanted === '' ? texts.nothingHere : texts.nothingFound(wanted)}
            />
          )}
        </output>
        <CommandList commands={listed} place={place} isMixed={wanted !== ''} />
        {wanted !== '' && listed.length < all.length && (
          <p className={styles.adult}>
            {texts.adultHidden}
            <Button onClick={() => setIsAsking(true)}>{texts.includeAdult}</Button>
          </p>
        )}
      </TabPanel>
      <ConfirmDialog
        isOpen={!age.isConfirmed && (isAsking || place.category === adultCategory)}
        texts={ageTexts}
        onCancel={cancel}
        onConfirm={confirm}
      />
    </Page>
  );
}

/**
 * Searches title, description, ID, names and usage, ignoring case. A term that begins with a slash is a
 * command, perhaps with what follows it in a chat: only names that begin with it match.
 */
function matches({ id, title, description, names, usage }: CatalogueEntry, term: string): boolean {
  const wanted = toSearchable(term);
  if (wanted.startsWith('/')) {
    const [typed = ''] = wanted.slice(1).split(/[\s@]/);
    return names.some((name) => name.startsWith(typed));
  }
  return [title, description, id, ...names, ...usage.map(lineText)].some((text) =>
    toSearchable(text).includes(wanted),
  );
}

/** Those that the bot of this server can do. */
function useCommands(): readonly CatalogueEntry[] {
  const isOffered = useIsOffered();
  return catalogue.filter(({ id }) => isOffered(id));
}

type CommandListProps = {
  readonly commands: readonly CatalogueEntry[];
  readonly place: ReturnType<typeof usePlace>;
  /** The commands come from several categories, so each shows its own. */
  readonly isMixed?: boolean;
};

const elementId = (id: string) => `command-${id}`;

function CommandList({ commands, place, isMixed = false }: CommandListProps) {
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

type Change = {
  readonly category?: Category | undefined;
  readonly command?: string | undefined;
  readonly q?: string | undefined;
};

type Place = {
  readonly category: Category;
  /** The command that the address names, whether or not the server has it. */
  readonly command: CatalogueEntry | undefined;
  readonly term: string;
  /** Changes the address: `undefined` removes a part, absent parts stay. */
  readonly change: (change: Change) => void;
};

function usePlace(): Place {
  const [search, setSearch] = useQueryString();
  const named = findCurrentId(search.get('command') ?? '');
  const command = catalogue.find(({ id }) => id === named);
  const category = search.get('category');

  return {
    category: command?.category ?? (isCategory(category) ? category : firstCategory),
    command,
    term: search.get('q') ?? '',
    change: (wanted) =>
      setSearch(
        (present) => {
          const next = new URLSearchParams(present);
          for (const [name, value] of Object.entries(wanted)) {
            if (value === undefined || value === '' || value === firstCategory) {
              next.delete(name);
            } else {
              next.set(name, value);
            }
          }
          return next;
        },
        { replace: true },
      ),
  };
}
