/** Imagine Art: the form, what becomes of a wish, what was made before, and what the styles are like. */
import { useRef } from 'react';

import { HistoryPanel } from '../history/history-panel.tsx';
import { EngineNotice } from '../shared/engine-notice.tsx';
import { TwoColumnLayout } from '../shared/workshop.tsx';
import { imagineAdapter } from './imagine-adapter.ts';
import { ImagineForm } from './imagine-form.tsx';
import { imagineHistoryView } from './imagine-history-view.tsx';
import { ImagineResult } from './imagine-result.tsx';
import { StyleGallery } from './style-gallery.tsx';

import styles from './imagine.module.css';

export function ImaginePanel() {
  const form = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLElement>(null);
  const goToForm = () => form.current?.scrollIntoView({ block: 'start' });

  return (
    <div className={styles.panel}>
      <TwoColumnLayout
        formRef={form}
        form={
          <>
            <EngineNotice provider="imagine-art" settings={['IMAGINE_API_KEY']} />
            <ImagineForm result={result} />
          </>
        }
      >
        <ImagineResult ref={result} />
      </TwoColumnLayout>
      <div className={styles.strip}>
        <HistoryPanel adapter={imagineAdapter} view={imagineHistoryView} onUsedAgain={goToForm} />
      </div>
      <StyleGallery onChosen={goToForm} />
    </div>
  );
}
