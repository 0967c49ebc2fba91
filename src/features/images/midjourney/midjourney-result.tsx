/** The pictures of the last prompt. */
import { type Ref } from 'react';

import { EmptyState } from '#ui/empty-state';

import { useLatestGeneration, useRecords } from '../common/records-store.ts';
import { BeingMade, ResultPlace } from '../common/result-place.tsx';
import { useAbilities } from '../common/use-abilities.ts';
import { ResultPictures } from '../history/result-pictures.tsx';
import { midjourneyLook } from './midjourney-look.tsx';
import { dismissError, useSubmission } from './submission.ts';
import { midjourneyTexts } from './texts.ts';

import styles from '../common/result.module.css';

const { form, result: texts } = midjourneyTexts;
/** What is usual, where the server does not say. */
const usualCount = 4;

export function MidjourneyResult({ ref }: { readonly ref: Ref<HTMLElement> }) {
  const error = useSubmission((state) => state.error);
  return (
    <ResultPlace ref={ref} heading={texts.heading} error={error} onDismissError={dismissError}>
      <Content />
    </ResultPlace>
  );
}

function Content() {
  const { pictures = usualCount } = useAbilities('midjourney');
  const pending = useRecords('midjourney').find(({ status }) => status === 'pending');
  const latest = useLatestGeneration('midjourney');

  if (pending) {
    return <BeingMade text={form.generating} wish={pending} count={pictures} />;
  }
  return latest ? (
    <div className={styles.result}>
      <ResultPictures key={latest.id} record={latest} caption={midjourneyLook.caption(latest)} />
      <p className={styles.prompt}>{latest.prompt}</p>
    </div>
  ) : (
    <EmptyState mood="happy" title={texts.empty} />
  );
}
