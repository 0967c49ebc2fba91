/** The last calls: a press brings one back into its form, and runs nothing. */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';

import { Button } from '#ui/button';
import { Disclosure } from '#ui/disclosure';

import { type Call, onCallsElsewhere, useCalls } from './calls.ts';
import { linkTo, offered, sentPath } from './request.ts';
import { texts } from './texts.ts';
import { type Place } from './use-place.ts';

import styles from './endpoint-list.module.css';

type CallHistoryProps = { readonly origin: Place['origin'] };

export function CallHistory({ origin }: CallHistoryProps) {
  const { calls, clear, recall } = useCalls();
  const [isOpen, setIsOpen] = useState(false);
  const note = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    recall();
    return onCallsElsewhere(recall);
  }, [recall]);

  return (
    <Disclosure
      id="calls"
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
          <Entry key={call.id} call={call} origin={origin} />
        ))}
      </ul>
      {calls.length > 0 && (
        <Button
          kind="quiet"
          onClick={() => {
            clear();
            // The button goes with the calls.
            note.current?.focus();
          }}
        >
          {texts.clearHistory}
        </Button>
      )}
    </Disclosure>
  );
}

type EntryProps = CallHistoryProps & { readonly call: Call };

function Entry({ call: { endpointId, values, status, ms }, origin }: EntryProps) {
  const endpoint = offered.find(({ id }) => id === endpointId);
  // An older version may have known one that is gone.
  if (!endpoint) {
    return null;
  }
  const isGood = status !== undefined && status < 400;
  return (
    <li>
      <Link className={styles.call} to={linkTo(endpoint, values)} state={origin}>
        <span className={styles.callPath}>{decodedPath(sentPath(endpoint, values))}</span>
        <span className={styles.callFacts}>
          <span className={isGood ? styles.good : styles.bad}>
            {status === undefined ? texts.noAnswer : texts.status(status)}
          </span>
          {ms !== undefined && ` ${texts.ms(ms)}`}
        </span>
      </Link>
    </li>
  );
}

/** As people read it. */
function decodedPath(path: string): string {
  return decodeURIComponent(path.replaceAll('+', ' '));
}
