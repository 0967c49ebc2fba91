/** Imagine Art: the form, what becomes of a wish, what was made before, and what the styles are like. */
import { useRef } from 'react';

import { HistoryPanel } from '../history/history-panel.tsx';
import { EngineNotice } from '../shared/engine-notice.tsx';
import { Workshop } from '../shared/workshop.tsx';
import { ImagineForm } from './imagine-form.tsx';
import { imagineKit } from './imagine-kit.ts';
import { imagineLook } from './imagine-look.tsx';
import { ImagineResult } from './imagine-result.tsx';
import { StyleGallery } from './style-gallery.tsx';

import styles from './imagine.module.css';

export function ImaginePanel() {
  const form = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLElement>(null);
  const goToForm = () => form.current?.scrollIntoView({ block: 'start' });

  return (
    <div className={styles.panel}>
      <Workshop
        formRef={form}
        form={
          <>
            <EngineNotice provider="imagine-art" settings={['IMAGINE_API_KEY']} />
            <ImagineForm result={result} />
          </>
        }
      >
        <ImagineResult ref={result} />
      </Workshop>
      <div className={styles.strip}>
        <HistoryPanel kit={imagineKit} look={imagineLook} onUsedAgain={goToForm} />
      </div>
      <StyleGallery onChosen={goToForm} />
    </div>
  );
}
