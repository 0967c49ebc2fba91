/** What became of the last wish: a failure, a picture being made, a picture, or nothing yet. */
import { Trash2 } from 'lucide-react';
import { type Ref, useState } from 'react';

import { useNotices } from '#lib/notices';
import { Button } from '#ui/button';

import { DeleteDialog } from '../../history/delete-dialog.tsx';
import { ResultPictures } from '../../history/result-pictures.tsx';
import { historyTexts } from '../../history/texts.ts';
import { DownloadLink } from '../../shared/download-link.tsx';
import { dismissLatest } from '../../shared/records-store.ts';
import { type GenerationRecord } from '../../shared/records.ts';
import { Facts, ResultPanel } from '../../shared/result-panel.tsx';
import { pixaiAdapter } from '../pixai-adapter.ts';
import { pixaiHistoryView } from './pixai-history-view.tsx';
import { pixaiSubmission } from './submission.ts';
import { generatorTexts } from './texts.ts';

import styles from '../../shared/result.module.css';

const { result: texts } = generatorTexts;

export function PixaiResult({ ref }: { readonly ref: Ref<HTMLElement> }) {
  return (
    <ResultPanel
      ref={ref}
      heading={texts.heading}
      adapter={pixaiAdapter}
      failure={pixaiSubmission.useFailure()}
      onDismiss={pixaiSubmission.dismissFailure}
      isBusy={pixaiSubmission.useIsBusy()}
      texts={{ making: texts.starting, empty: texts.empty }}
      Finished={Finished}
    />
  );
}

function Finished({ record }: { readonly record: GenerationRecord }) {
  const [isAsking, setIsAsking] = useState(false);

  const clear = () => {
    setIsAsking(false);
    dismissLatest('pixai');
    useNotices.getState().show({
      id: 'result-cleared',
      tone: 'info',
      text: texts.cleared,
    });
  };

  return (
    <div className={styles.result}>
      <ResultPictures record={record} caption={pixaiHistoryView.caption(record)} />
      <div className={styles.actions}>
        <DownloadLink adapter={pixaiAdapter} record={record} />
        <Button
          kind="quiet"
          icon={<Trash2 aria-hidden size={18} />}
          onClick={() => setIsAsking(true)}
        >
          {texts.delete}
        </Button>
      </div>
      <p className={styles.prompt}>{record.prompt}</p>
      <Facts facts={getFacts(record)} />
      <DeleteDialog isOpen={isAsking} onClose={() => setIsAsking(false)} onDelete={clear} />
    </div>
  );
}

function getFacts(record: GenerationRecord) {
  const { modelName, modelId, id, remoteId = id, seed = '', ratio, engine } = record;
  return [
    { name: texts.model, text: modelName || modelId },
    { name: texts.id, text: remoteId },
    { name: texts.seed, text: seed },
    { name: texts.ratio, text: ratio },
    { name: texts.engine, text: historyTexts.madeBy(engine) },
  ];
}
