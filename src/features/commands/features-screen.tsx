/** The features page: the commands of the bot by category, and a search through all of them. */
import { useDeferredValue, useState } from 'react';

import { categories, type Category } from '#contract/commands/index';
import { useAgeOfVisit } from '#lib/age';
import { ageTexts } from '#lib/age-texts';
import { useIsOffered } from '#lib/offered-commands';
import { getPlatform } from '#lib/platform';
import { toSearchable, useSearchTerm } from '#lib/search-term';
import { Button } from '#ui/button';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { EmptyState } from '#ui/empty-state';
import { Page, PageHeader } from '#ui/page';
import { SearchField } from '#ui/search-field';
import { TabPanel, Tabs } from '#ui/tabs';

import { adultCategory, catalogue, type CatalogueEntry, lineText } from './catalogue.ts';
import { CommandList } from './command-list.tsx';
import { texts } from './texts.ts';
import { usePlace } from './use-place.ts';

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
