/** What became of the last wish to Imagine Art. */
import { type Ref } from 'react';

import { ResultPictures } from '../history/result-pictures.tsx';
import { DownloadLink } from '../shared/download-link.tsx';
import { type GenerationRecord } from '../shared/records.ts';
import { Facts, ResultPanel } from '../shared/result-panel.tsx';
import { imagineAdapter } from './imagine-adapter.ts';
import { imagineHistoryView } from './imagine-history-view.tsx';
import { getStyleTitle } from './style-titles.ts';
import { imagineSubmission } from './submission.ts';
import { imagineTexts } from './texts.ts';

import resultStyles from '../shared/result.module.css';
import styles from './imagine.module.css';

const { form, result: texts } = imagineTexts;

export function ImagineResult({ ref }: { readonly ref: Ref<HTMLElement> }) {
  return (
    <ResultPanel
      ref={ref}
      heading={texts.heading}
      adapter={imagineAdapter}
      failure={imagineSubmission.useFailure()}
      onDismiss={imagineSubmission.dismissFailure}
      isBusy={imagineSubmission.useIsBusy()}
      texts={{ making: form.generating, empty: texts.empty }}
      Finished={Finished}
    />
  );
}

function Finished({ record }: { readonly record: GenerationRecord }) {
  return (
    <div className={resultStyles.result}>
      <ResultPictures record={record} caption={imagineHistoryView.caption(record)} />
      <div className={resultStyles.actions}>
        <DownloadLink adapter={imagineAdapter} record={record} />
      </div>
      <p className={resultStyles.prompt}>{record.prompt}</p>
      <Facts
        className={styles.details}
        facts={[
          { name: texts.ratio, text: record.ratio },
          { name: texts.seed, text: record.seed ?? '' },
          { name: texts.style, text: getStyleTitle(record.style) },
        ]}
      />
    </div>
  );
}
