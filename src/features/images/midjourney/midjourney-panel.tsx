/** MidJourney: a prompt, the pictures of the last one, and everything made before. */
import { useRef } from 'react';

import { HistoryPanel } from '../history/history-panel.tsx';
import { EngineNotice } from '../shared/engine-notice.tsx';
import { useReloadWhenMade } from '../shared/history.ts';
import { TwoColumnLayout } from '../shared/workshop.tsx';
import { midjourneyAdapter } from './midjourney-adapter.ts';
import { MidjourneyForm } from './midjourney-form.tsx';
import { midjourneyHistoryView } from './midjourney-history-view.tsx';
import { MidjourneyResult } from './midjourney-result.tsx';

import styles from './midjourney.module.css';

export function MidjourneyPanel() {
  const form = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLElement>(null);
  useReloadWhenMade(midjourneyAdapter);

  return (
    <div className={styles.panel}>
      <TwoColumnLayout
        formRef={form}
        form={
          <>
            <EngineNotice provider="midjourney" settings={['MIDJOURNEY_PROXY_URL']} />
            <MidjourneyForm result={result} />
          </>
        }
      >
        <MidjourneyResult ref={result} />
      </TwoColumnLayout>
      <HistoryPanel
        adapter={midjourneyAdapter}
        view={midjourneyHistoryView}
        onUsedAgain={() => form.current?.scrollIntoView({ block: 'start' })}
      />
    </div>
  );
}
