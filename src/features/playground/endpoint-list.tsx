/** The endpoints by category, each of which folds, with a search over all of them. */
import { useState } from 'react';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { useSearchTerm } from '#lib/search-term';
import { Disclosure } from '#ui/disclosure';
import { EmptyState } from '#ui/empty-state';
import { SearchField } from '#ui/search-field';

import { MethodBadge } from './method-badge.tsx';
import { offered } from './request.ts';
import { findEndpoints } from './search.ts';
import { texts } from './texts.ts';
import { type Place } from './use-place.ts';

import styles from './endpoint-list.module.css';

type EndpointListProps = {
  /** The id of the one that is open. */
  readonly current: string | undefined;
  readonly place: Place;
};

export function EndpointList({ current, place }: EndpointListProps) {
  const [term, setTerm] = useSearchTerm(place.term, place.search);
  const [closed, setClosed] = useState<readonly string[]>([]);
  const found = term.trim() === '' ? offered : findEndpoints(offered, term);
  const categories = [...new Set(found.map(({ category }) => category))];

  function toggle(category: string): void {
    setClosed(
      closed.includes(category)
        ? closed.filter((other) => other !== category)
        : [...closed, category],
    );
  }

  return (
    <nav className={styles.list} aria-labelledby="endpoints">
      <h2 id="endpoints" className="visually-hidden">
        {texts.endpoints}
      </h2>
      <SearchField
        label={texts.search}
        clearLabel={texts.clearSearch}
        value={term}
        onChange={setTerm}
      />
      <output className={styles.outcome}>
        {term.trim() !== '' && found.length > 0 && texts.found(found.length)}
        {found.length === 0 && (
          <EmptyState mood="surprised" title={texts.nothingFound(term.trim())} />
        )}
      </output>
      {categories.map((category) => (
        <Disclosure
          key={category}
          id={`category-${category.toLowerCase().replaceAll(' ', '-')}`}
          heading={category}
          remark={String(found.filter((one) => one.category === category).length)}
          // What was searched for is shown, wherever it is.
          isOpen={term.trim() !== '' || !closed.includes(category)}
          onToggle={() => toggle(category)}
        >
          <ul>
            {found
              .filter((endpoint) => endpoint.category === category)
              .map((endpoint) => (
                <Entry
                  key={endpoint.id}
                  endpoint={endpoint}
                  isCurrent={endpoint.id === current}
                  onOpen={place.open}
                />
              ))}
          </ul>
        </Disclosure>
      ))}
    </nav>
  );
}

type EntryProps = {
  readonly onOpen: (id: string) => void;
  readonly endpoint: PublicEndpoint;
  readonly isCurrent: boolean;
};

function Entry({ endpoint: { id, name, method, is18plus }, isCurrent, onOpen }: EntryProps) {
  return (
    <li>
      <button
        type="button"
        className={styles.entry}
        aria-current={isCurrent || undefined}
        onClick={() => onOpen(id)}
      >
        <MethodBadge method={method} />
        <span className={styles.name}>{name}</span>
        {is18plus && <AdultBadge />}
      </button>
    </li>
  );
}

export function AdultBadge() {
  return (
    <span className={styles.adult} title={texts.adultHint}>
      {texts.adult}
    </span>
  );
}
