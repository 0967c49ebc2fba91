/** The pictures of the last prompt. */
import { type Ref } from 'react';

import { ResultPictures } from '../history/result-pictures.tsx';
import { type GenerationRecord } from '../shared/records.ts';
import { ResultPanel } from '../shared/result-panel.tsx';
import { useAbilities } from '../shared/use-abilities.ts';
import { midjourneyAdapter } from './midjourney-adapter.ts';
import { midjourneyHistoryView } from './midjourney-history-view.tsx';
import { midjourneySubmission } from './submission.ts';
import { midjourneyTexts } from './texts.ts';

import styles from '../shared/result.module.css';

const { form, result: texts } = midjourneyTexts;
/** What is usual, where the server does not say. */
const usualCount = 4;

export function MidjourneyResult({ ref }: { readonly ref: Ref<HTMLElement> }) {
  const { pictures = usualCount } = useAbilities('midjourney');
  return (
    <ResultPanel
      ref={ref}
      heading={texts.heading}
      adapter={midjourneyAdapter}
      failure={midjourneySubmission.useFailure()}
      onDismiss={midjourneySubmission.dismissFailure}
      isBusy={midjourneySubmission.useIsBusy()}
      texts={{ making: form.generating, empty: texts.empty }}
      count={pictures}
      Finished={Finished}
    />
  );
}

function Finished({ record }: { readonly record: GenerationRecord }) {
  return (
    <div className={styles.result}>
      <ResultPictures record={record} caption={midjourneyHistoryView.caption(record)} />
      <p className={styles.prompt}>{record.prompt}</p>
    </div>
  );
}
