/** What can be done with the ticked LoRAs, above everything else while there are any. */
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';

import { maxLoras } from '#contract/images/limits';
import { useNotices } from '#lib/notices';
import { hubPaths } from '#lib/paths';
import { Button } from '#ui/button';
import { passFocusOn } from '#ui/pass-focus';

import { addLoras } from '../draft.ts';
import { useLoraSelection } from './lora-selection.ts';
import { modelTexts } from './texts.ts';

import styles from './selection-bar.module.css';

const { selection: texts } = modelTexts;
const noticeMs = 6000;

export function SelectionBar() {
  const isShown = useLoraSelection(({ ticked }) => ticked.length > 0);
  return isShown ? <Bar /> : null;
}

function Bar() {
  const { ticked, clear } = useLoraSelection();
  const navigate = useNavigate();
  const bar = useRef<HTMLElement>(null);
  useRoomOf(bar);

  function generate(): void {
    const { left } = addLoras(ticked);
    clear();
    if (left > 0) {
      useNotices.getState().show({
        id: 'loras-full',
        tone: 'warning',
        text: modelTexts.card.noRoom(maxLoras),
        durationMs: noticeMs,
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

/** Says on the root how high the bar reaches, so that what else floats there stays above it. */
function useRoomOf(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const measure = () => {
      // Not its box on the screen, which is moving while it arrives.
      const fromBelow = bar.current ? Number.parseFloat(getComputedStyle(bar.current).bottom) : 0;
      const reach = (fromBelow || 0) + (bar.current?.offsetHeight ?? 0);
      root.style.setProperty('--floating-bar', `${reach}px`);
    };
    measure();
    root.dataset['floatingBar'] = '';
    const observer = new ResizeObserver(measure);
    if (bar.current) {
      observer.observe(bar.current);
    }
    return () => {
      observer.disconnect();
      delete root.dataset['floatingBar'];
      root.style.removeProperty('--floating-bar');
    };
  }, [bar]);
}
