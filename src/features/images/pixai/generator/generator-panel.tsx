/** The generator: the form, what becomes of a wish, and what was made before. */
import { useRef } from 'react';

import { HistoryPanel } from '../../history/history-panel.tsx';
import { EngineNotice } from './engine-notice.tsx';
import { GeneratorForm } from './generator-form.tsx';
import { ResultPanel } from './result-panel.tsx';

import styles from './generator.module.css';

export function GeneratorPanel() {
  const form = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLElement>(null);

  return (
    <div className={styles.columns}>
      <div ref={form} className={styles.column}>
        <EngineNotice />
        <GeneratorForm result={result} />
      </div>
      <div className={styles.column}>
        <ResultPanel ref={result} />
        <HistoryPanel
          provider="pixai"
          onUsedAgain={() => form.current?.scrollIntoView({ block: 'start' })}
        />
      </div>
    </div>
  );
}
