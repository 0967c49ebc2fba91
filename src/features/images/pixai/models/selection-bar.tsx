/** What can be done with the ticked LoRAs, above everything else while there are any. */
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';

import { maxLoras } from '#contract/images/limits';
import { useFloatingBar } from '#lib/floating-bar';
import { useNotices } from '#lib/notices';
import { hubPaths } from '#lib/paths';
import { Button, passFocusOn } from '#ui/button';

import { addLoras } from '../draft.ts';
import { useLoraSelection } from './lora-selection.ts';
import { modelTexts } from './texts.ts';

import styles from './selection-bar.module.css';

const { selection: texts } = modelTexts;

export function SelectionBar() {
  const isShown = useLoraSelection(({ ticked }) => ticked.length > 0);
  return isShown ? <Bar /> : null;
}

function Bar() {
  const { ticked, clear } = useLoraSelection();
  const navigate = useNavigate();
  const bar = useRef<HTMLElement>(null);
  useFloatingBar(bar);

  function generate(): void {
    const { left } = addLoras(ticked);
    clear();
    if (left > 0) {
      useNotices.getState().show({
        id: 'loras-full',
        tone: 'warning',
        text: modelTexts.card.noRoom(maxLoras),
      });
    }
    void navigate(hubPaths.generator);
  }

  return (
    <section ref={bar} className={styles.bar} aria-label={texts.label}>
      <output className={styles.count}>{texts.count(ticked.length)}</output>
      <Button ref={passFocusOn} kind="quiet" onClick={clear}>
        {texts.clear}
      </Button>
      <Button kind="primary" onClick={generate}>
        {texts.generate}
      </Button>
    </section>
  );
}
