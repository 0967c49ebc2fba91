/** The left column: the endpoints by category with a search over all of them, and the last calls. */
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { toSearchable, useSearchTerm } from '#lib/search-term';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { SearchField } from '#ui/search-field';

import { type Place } from './place.ts';
import { listedEndpoints, statusText, toLink, toPath } from './request.ts';
import { type Call, onCallsElsewhere, useCalls } from './store.ts';
import { texts } from './texts.ts';

import styles from './endpoint-list.module.css';

type EndpointListProps = {
  /** The ID of the open endpoint. */
  readonly currentId: string | undefined;
  readonly place: Place;
};

export function EndpointList({ currentId, place }: EndpointListProps) {
  const [term, setTerm] = useSearchTerm(place.term, place.search);
  const [closed, setClosed] = useState<readonly string[]>([]);
  const found = findEndpoints(term);
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
      <div className={styles.search}>
        <SearchField
          label={texts.search}
          clearLabel={texts.clearSearch}
          value={term}
          onChange={setTerm}
        />
      </div>
      <output className={styles.outcome}>
        {term.trim() !== '' && found.length > 0 && texts.found(found.length)}
        {found.length === 0 && (
          <EmptyState mood="surprised" title={texts.nothingFound(term.trim())} />
        )}
      </output>
      {categories.map((category) => {
        const endpoints = found.filter((endpoint) => endpoint.category === category);
        return (
          <Group
            key={category}
            heading={category}
            remark={String(endpoints.length)}
            // A search also shows what it finds in closed categories.
            isOpen={term.trim() !== '' || !closed.includes(category)}
            onToggle={() => toggle(category)}
          >
            <ul>
              {endpoints.map((endpoint) => (
                <EndpointEntry
                  key={endpoint.id}
                  endpoint={endpoint}
                  isCurrent={endpoint.id === currentId}
                  onOpen={place.open}
                />
              ))}
            </ul>
          </Group>
        );
      })}
    </nav>
  );
}

type GroupProps = {
  readonly heading: string;
  readonly remark: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
};

/** A grouped list whose heading opens and closes it. */
function Group({ heading, remark, isOpen, onToggle, children }: GroupProps) {
  const id = useId();
  const contentId = `${id}-content`;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 className={styles.groupHeading}>
        <button
          id={id}
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? contentId : undefined}
          onClick={onToggle}
        >
          {heading} <span className={styles.remark}>{remark}</span>
          <ChevronDown aria-hidden size={16} />
        </button>
      </h3>
      {isOpen && (
        <div id={contentId} className={styles.group}>
          {children}
        </div>
      )}
    </section>
  );
}

/** The endpoints that contain every word of the term; those with all words in name or path come first. */
function findEndpoints(term: string): readonly PublicEndpoint[] {
  const words = toSearchable(term).split(/\s+/).filter(Boolean);
  const hasAllWords = (fields: readonly string[]) => {
    const text = toSearchable(fields.join(' '));
    return words.every((word) => text.includes(word));
  };
  const found = listedEndpoints.filter(
    ({ method, name, path, description, category, parameters }) =>
      hasAllWords([
        method,
        name,
        path,
        description,
        category,
        ...parameters.flatMap((parameter) => [parameter.name, parameter.description]),
      ]),
  );
  const isNear = ({ name, path }: PublicEndpoint) => hasAllWords([name, path]);
  return [...found.filter(isNear), ...found.filter((endpoint) => !isNear(endpoint))];
}

type EndpointEntryProps = {
  readonly endpoint: PublicEndpoint;
  readonly isCurrent: boolean;
  readonly onOpen: (id: string) => void;
};

function EndpointEntry({ endpoint, isCurrent, onOpen }: EndpointEntryProps) {
  const { id, name, method, path, is18plus } = endpoint;
  return (
    <li>
      <button
        type="button"
        className={styles.entry}
        aria-current={isCurrent || undefined}
        onClick={() => onOpen(id)}
      >
        <MethodBadge method={method} />
        <span className={styles.name}>
          {name}
          <span className={styles.path} dir="auto">
            {path}
          </span>
        </span>
        {is18plus && <AdultBadge />}
      </button>
    </li>
  );
}

export function MethodBadge({ method }: { readonly method: string }) {
  return <span className={styles.method}>{method}</span>;
}

export function AdultBadge() {
  return (
    <span className={styles.adult} title={texts.adultHint}>
      {texts.adult}
    </span>
  );
}

type CallHistoryProps = { readonly origin: Place['origin'] };

/** The last calls. A press fills the form with the values of a call, and runs nothing. */
export function CallHistory({ origin }: CallHistoryProps) {
  const { calls, clear, restore } = useCalls();
  const [isOpen, setIsOpen] = useState(false);
  const note = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    restore();
    return onCallsElsewhere(restore);
  }, [restore]);

  return (
    <Group
      heading={texts.history}
      remark={String(calls.length)}
      isOpen={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      <p ref={note} tabIndex={-1} className={styles.note}>
        {calls.length === 0 ? texts.noHistory : texts.historyLead}
      </p>
      <ul>
        {calls.map((call) => (
          <CallEntry key={call.id} call={call} origin={origin} />
        ))}
      </ul>
      {calls.length > 0 && (
        <Button
          kind="quiet"
          onClick={() => {
            clear();
            // The button disappears with the calls.
            note.current?.focus();
          }}
        >
          {texts.clearHistory}
        </Button>
      )}
    </Group>
  );
}

type CallEntryProps = CallHistoryProps & { readonly call: Call };

function CallEntry({ call: { endpointId, values, status, ms }, origin }: CallEntryProps) {
  const endpoint = listedEndpoints.find(({ id }) => id === endpointId);
  // An older version may have stored an endpoint that no longer exists.
  if (!endpoint) {
    return null;
  }
  const isGood = status !== undefined && status < 400;
  return (
    <li>
      <Link className={styles.call} to={toLink(endpoint, values)} state={origin}>
        <span className={styles.callPath}>
          {decodeURIComponent(toPath(endpoint, values).replaceAll('+', ' '))}
        </span>
        <span className={styles.callFacts}>
          <span className={isGood ? styles.good : styles.bad}>
            {status === undefined ? texts.noAnswer : statusText(status)}
          </span>
          {ms !== undefined && ` ${texts.ms(ms)}`}
        </span>
      </Link>
    </li>
  );
}
