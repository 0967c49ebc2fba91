/** A bar with the number of ticked LoRAs and what to do with them. */
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { create } from 'zustand';

import { maxLoras } from '#contract/images/limits';
import { useFloatingBar } from '#lib/floating-bar';
import { useNotices } from '#lib/notices';
import { hubPaths } from '#lib/paths';
import { Button } from '#ui/button';
import { passFocusOn } from '#ui/empty-state';

import { addLoras, type ChosenLora } from '../draft.ts';
import { modelTexts } from './texts.ts';

import styles from './model-browser.module.css';

const { selection: texts } = modelTexts;

type SelectionBarProps = {
  /** Called when the ticked LoRAs are in the form. By default the generator is opened. */
  readonly onDone: (() => void) | undefined;
};

export function SelectionBar(props: SelectionBarProps) {
  const isShown = useLoraSelection(({ ticked }) => ticked.length > 0);
  return isShown ? <Bar {...props} /> : null;
}

function Bar({ onDone }: SelectionBarProps) {
  const { ticked, clear } = useLoraSelection();
  const navigate = useNavigate();
  const bar = useRef<HTMLElement>(null);
  // In a dialog nothing floats beside it.
  useFloatingBar(bar, onDone === undefined);

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
    if (onDone) {
      onDone();
    } else {
      void navigate(hubPaths.generator);
    }
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

type LoraSelection = {
  readonly ticked: readonly ChosenLora[];
  readonly toggle: (lora: ChosenLora) => void;
  readonly clear: () => void;
};

export const useLoraSelection = create<LoraSelection>()((set) => ({
  ticked: [],
  toggle: (lora) =>
    set(({ ticked }) => ({
      ticked: ticked.some(({ id }) => id === lora.id)
        ? ticked.filter(({ id }) => id !== lora.id)
        : [...ticked, lora],
    })),
  clear: () => set({ ticked: [] }),
}));
