/** The playground: the list of endpoints, the form of one of them, and what it answered. */
import { useEffect, useEffectEvent, useRef } from 'react';

import { ageTexts, useAgeOfVisit } from '#lib/age';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { Page, PageHeader } from '#ui/page';

import { CallHistory } from './call-history.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { EndpointPanel } from './endpoint-panel.tsx';
import { offered } from './request.ts';
import { texts } from './texts.ts';
import { type Place, usePlace } from './use-place.ts';
import { useViewOnScreen, type View } from './use-view.ts';

import styles from './playground.module.css';

/** What a wide page begins with, where list and form stand side by side. */
const first = offered.find(({ is18plus }) => !is18plus);

export function ApiScreen() {
  const place = usePlace();
  const age = useAgeOfVisit();
  const list = useRef<HTMLDivElement>(null);
  useSearchKey(() => list.current?.querySelector('input')?.focus());

  const isAsking = place.endpoint?.is18plus === true && !age.isConfirmed;
  const shown = isAsking ? undefined : (place.endpoint ?? first);
  const view = viewOf(place, isAsking);
  useViewOnScreen(view, `${view} ${view === 'list' ? '' : place.endpoint?.id}`);

  return (
    <Page className={styles.screen} data-view={view === 'list' ? view : 'endpoint'}>
      <PageHeader heading={texts.heading} lead={texts.lead} className={styles.header} />
      <div className={styles.views}>
        <div ref={list} className={styles.side}>
          <EndpointList current={shown?.id} place={place} />
          <CallHistory origin={place.origin} />
        </div>
        <div className={styles.main}>
          {shown && <EndpointPanel key={shown.id} endpoint={shown} place={place} />}
        </div>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        texts={ageTexts}
        onCancel={place.leave}
        onConfirm={age.confirm}
      />
    </Page>
  );
}

function viewOf({ endpoint, isResponse }: Place, isAsking: boolean): View {
  if (!endpoint || isAsking) {
    return 'list';
  }
  return isResponse ? 'response' : 'form';
}

/** A slash that nobody types into a field leads to the search. */
function useSearchKey(focus: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      focus();
    }
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}
