/** What became of the last wish to Imagine Art. */
import { type Ref } from 'react';

import { EmptyState } from '#ui/empty-state';

import { DownloadLink } from '../common/download-link.tsx';
import { useLatestGeneration, useRecords } from '../common/records-store.ts';
import { BeingMade, Facts, ResultPlace } from '../common/result-place.tsx';
import { ResultPictures } from '../history/result-pictures.tsx';
import { imagineKit } from './imagine-kit.ts';
import { imagineLook } from './imagine-look.tsx';
import { titleOfStyle } from './style-titles.ts';
import { dismissError, useSubmission } from './submission.ts';
import { imagineTexts } from './texts.ts';

import resultStyles from '../common/result.module.css';
import styles from './imagine.module.css';

const { form, result: texts } = imagineTexts;

export function ImagineResult({ ref }: { readonly ref: Ref<HTMLElement> }) {
  const error = useSubmission((state) => state.error);
  return (
    <ResultPlace ref={ref} heading={texts.heading} error={error} onDismissError={dismissError}>
      <Content />
    </ResultPlace>
  );
}

function Content() {
  const records = useRecords('imagine-art');
  const pending = records.find(({ status }) => status === 'pending');
  const latest = useLatestGeneration('imagine-art');

  if (pending) {
    return <BeingMade text={form.generating} wish={pending} />;
  }
  return latest ? (
    <div className={resultStyles.result}>
      <ResultPictures key={latest.id} record={latest} caption={imagineLook.caption(latest)} />
      <div className={resultStyles.actions}>
        <DownloadLink kit={imagineKit} record={latest} />
      </div>
      <p className={resultStyles.prompt}>{latest.prompt}</p>
      <Facts
        className={styles.details}
        facts={[
          { name: texts.ratio, text: latest.ratio },
          { name: texts.seed, text: latest.seed ?? '' },
          { name: texts.style, text: titleOfStyle(latest.style) },
        ]}
      />
    </div>
  ) : (
    <EmptyState mood="happy" title={texts.empty} />
  );
}
