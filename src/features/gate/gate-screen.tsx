/**
 * The page of the join gate as it is prerendered: all that it may say, of which its script shows a part. In production that
 * script is in the page and React is not loaded; see decision 050.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

import { gateTask } from '#contract/endpoints/gate';
import { connectPlatform } from '#lib/light-frame';
import { usePlatform } from '#lib/platform';
import { Mascot, type Mood } from '#ui/mascot';

import { startGate } from './page.ts';
import { texts } from './texts.ts';

import styles from './gate.module.css';

const places = Array.from({ length: gateTask.words }, (_, at) => at);

export function GateScreen() {
  const root = useRef<HTMLDivElement>(null);
  const platform = usePlatform();
  const { search } = useLocation();

  useEffect(
    () => (root.current ? startGate(root.current, connectPlatform(platform, search)) : undefined),
    [platform, search],
  );

  return (
    <div ref={root} className={styles.gate} data-state="loading" data-part="gate">
      <header className={styles.header}>
        <span className={styles.mascot}>
          <Mascot mood="happy" />
        </span>
        <h1 data-part="heading" dir="auto">
          {texts.heading}
        </h1>
        <p className={styles.time} data-part="time">
          {texts.loading}
        </p>
      </header>
      <section className={styles.rules} data-part="rules" aria-labelledby="gate-rules" hidden>
        <h2 id="gate-rules">{texts.rules}</h2>
        <div className={styles.text} data-part="text" dir="auto" />
      </section>
      <form className={styles.task} data-part="task" aria-label={texts.task} noValidate>
        <output className={styles.status} data-part="status" />
        <fieldset>
          <legend data-part="question" tabIndex={-1}>
            {texts.question}
          </legend>
          <div className={styles.words}>
            {places.map((at) => (
              <label key={at} className={styles.word}>
                <input type="checkbox" name="word" value={at} disabled />
                <span aria-hidden="true" className={styles.picture} data-part="picture" />
                <span data-part="word">…</span>
              </label>
            ))}
          </div>
        </fieldset>
        <p className={styles.count} data-part="count" />
        <button type="submit" hidden>
          {texts.answer}
        </button>
      </form>
      <End name="in" mood="winking" {...texts.in} />
      <End name="passed" mood="happy" {...texts.passed} />
      <End name="failed" mood="surprised" {...texts.failed} />
      <End name="expired" mood="sleepy" {...texts.expired} />
      <End name="gone" mood="sleepy" {...texts.gone} />
      <End name="outside" mood="happy" {...texts.outside} />
      <End name="refused" mood="sleepy" {...texts.refused} />
      <End name="away" mood="sleepy" {...texts.away} />
    </div>
  );
}

type EndProps = {
  readonly name: string;
  readonly mood: Mood;
  readonly title: string;
  readonly text?: ReactNode;
};

/** How it has ended; one of them is shown then. */
function End({ name, mood, title, text }: EndProps) {
  return (
    <section className={styles.end} data-end={name} hidden>
      <span className={styles.face}>
        <Mascot mood={mood} />
      </span>
      <h2 tabIndex={-1}>{title}</h2>
      <p>{text}</p>
    </section>
  );
}
