/** The generator: the form, what becomes of a wish, and what was made before. */
import { useRef } from 'react';

import { HistoryPanel } from '../../history/history-panel.tsx';
import { EngineNotice } from '../../shared/engine-notice.tsx';
import { TwoColumnLayout } from '../../shared/workshop.tsx';
import { pixaiAdapter } from '../pixai-adapter.ts';
import { GeneratorForm } from './generator-form.tsx';
import { pixaiHistoryView } from './pixai-history-view.tsx';
import { PixaiResult } from './pixai-result.tsx';

export function GeneratorPanel() {
  const form = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLElement>(null);

  return (
    <TwoColumnLayout
      formRef={form}
      form={
        <>
          <EngineNotice provider="pixai" settings={['PIXAI_API_KEY', 'A1111_URL']} />
          <GeneratorForm result={result} />
        </>
      }
    >
      <PixaiResult ref={result} />
      <HistoryPanel
        adapter={pixaiAdapter}
        view={pixaiHistoryView}
        onUsedAgain={() => form.current?.scrollIntoView({ block: 'start' })}
      />
    </TwoColumnLayout>
  );
}
