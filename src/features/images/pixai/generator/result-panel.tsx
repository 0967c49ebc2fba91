/** What became of the last wish: a failure, a picture being made, a picture, or nothing yet. */
import { Trash2 } from 'lucide-react';
import { type Ref, useState } from 'react';

import { sizeOfRatio } from '#contract/images/ratios';
import { useNotices } from '#lib/notices';
import { Button } from '#ui/button';
import { Card } from '#ui/card';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { dismissLatest, useLatestGeneration, useRecords } from '../../common/records-store.ts';
import { type GenerationRecord } from '../../common/records.ts';
import { DeleteDialog } from '../../history/delete-dialog.tsx';
import { DownloadLink } from './download-link.tsx';
import { ResultPicture } from './result-picture.tsx';
import { dismissError, useSubmission } from './submission.ts';
import { generatorTexts } from './texts.ts';

import styles from './result-panel.module.css';

const { result: texts } = generatorTexts;
const noticeMs = 6000;

export function ResultPanel({ ref }: { readonly ref?: Ref<HTMLElement> }) {
  return (
    <section ref={ref} aria-label={texts.heading} className={styles.place}>
      <Card title={texts.heading}>
        <Content />
      </Card>
    </section>
  );
}

/** In the order of what matters most. */
function Content() {
  const { error, isStarting } = useSubmission();
  const [newest] = useRecords();
  const latest = useLatestGeneration();

  if (error !== undefined) {
    return (
      <Notice tone="error" onClose={dismissError}>
        <span className={styles.error}>{error}</span>
      </Notice>
    );
  }
  if (isStarting || newest?.status === 'pending') {
    return <Starting ratio={newest?.ratio ?? '1:1'} prompt={newest?.prompt ?? ''} />;
  }
  return latest ? (
    <Finished key={latest.id} record={latest} />
  ) : (
    <EmptyState mood="happy" title={texts.empty} />
  );
}

function Starting({ ratio, prompt }: { readonly ratio: string; readonly prompt: string }) {
  const { width, height } = sizeOfRatio(ratio);
  return (
    <div className={styles.result}>
      <div
        className={`${styles.frame} ${styles.starting}`}
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        <Spinner label={texts.starting} />
      </div>
      <p className={styles.prompt}>{prompt}</p>
    </div>
  );
}

function Finished({ record }: { readonly record: GenerationRecord }) {
  const [isAsking, setIsAsking] = useState(false);

  const clear = () => {
    setIsAsking(false);
    dismissLatest();
    useNotices.getState().show({
      id: 'result-cleared',
      tone: 'info',
      text: texts.cleared,
      durationMs: noticeMs,
    });
  };

  return (
    <div className={styles.result}>
      <ResultPicture record={record} />
      <div className={styles.actions}>
        <DownloadLink record={record} />
        <Button
          kind="quiet"
          icon={<Trash2 aria-hidden size={18} />}
          onClick={() => setIsAsking(true)}
        >
          {texts.delete}
        </Button>
      </div>
      <p className={styles.prompt}>{record.prompt}</p>
      <dl className={styles.facts}>
        {factsOf(record).map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <DeleteDialog isOpen={isAsking} onClose={() => setIsAsking(false)} onDelete={clear} />
    </div>
  );
}

function factsOf(record: GenerationRecord) {
  const { modelName, modelId, id, remoteId = id, seed = '', ratio, engine = '' } = record;
  return [
    { name: texts.model, text: modelName || modelId },
    { name: texts.id, text: remoteId },
    { name: texts.seed, text: seed },
    { name: texts.ratio, text: ratio },
    { name: texts.engine, text: engine === 'sketch' ? texts.sketch : engine },
  ].filter(({ text }) => text !== '');
}
