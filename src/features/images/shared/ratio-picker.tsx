/** Chooses an aspect ratio from a row that scrolls sideways: real radio buttons, drawn as little shapes. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';

import { ratios } from '#contract/images/ratios';
import { usePlatform } from '#lib/platform';

import { promptTexts as texts } from './prompt-texts.ts';
import { type Recipe } from './recipe.ts';

import styles from './ratio-picker.module.css';

type RatioName = Recipe['ratio'];

type RatioPickerProps = {
  readonly value: RatioName;
  readonly onChange: (ratio: RatioName) => void;
  /** What the provider cannot do, and why, as the person reads it. */
  readonly impossible?: { readonly ratios: readonly RatioName[]; readonly reason: string };
};

/** The square that a shape is drawn in, and the longer side of a shape. */
const box = 32;
const longest = 26;
/** How much of what is seen a press on an arrow moves. */
const pageShare = 0.7;

export function RatioPicker({ value, onChange, impossible }: RatioPickerProps) {
  const platform = usePlatform();
  const reasonId = useId();
  const row = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const strip = row.current;
    const chosen = strip?.querySelector<HTMLElement>(`[data-ratio="${value}"]`);
    if (strip && chosen) {
      // Only the row moves: the page stays where it is.
      strip.scrollTo({ left: chosen.offsetLeft - (strip.clientWidth - chosen.offsetWidth) / 2 });
    }
  }, [value]);

  const scroll = (direction: -1 | 1) => {
    const width = row.current?.clientWidth ?? 0;
    row.current?.scrollBy({ left: direction * width * pageShare });
  };

  return (
    <fieldset className={styles.picker}>
      <legend className={styles.legend}>{texts.ratio}</legend>
      <div className={styles.frame}>
        {/* For pointers without a way to scroll sideways; keys move between the radio buttons. */}
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          title={texts.scrollBack}
          className={styles.arrow}
          onClick={() => scroll(-1)}
        >
          <ChevronLeft aria-hidden size={20} />
        </button>
        <div ref={row} className={styles.row}>
          {ratios.map(({ name, width, height }) => {
            const isImpossible = impossible?.ratios.includes(name) ?? false;
            return (
              <label key={name} className={styles.option} data-ratio={name}>
                <input
                  type="radio"
                  name="ratio"
                  value={name}
                  checked={name === value}
                  disabled={isImpossible}
                  title={isImpossible ? impossible?.reason : texts.pixels(width, height)}
                  aria-describedby={isImpossible ? reasonId : undefined}
                  onChange={() => {
                    platform.haptic('selection');
                    onChange(name);
                  }}
                />
                <Shape width={width} height={height} />
                <span>{name}</span>
              </label>
            );
          })}
        </div>
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          title={texts.scrollOn}
          className={styles.arrow}
          onClick={() => scroll(1)}
        >
          <ChevronRight aria-hidden size={20} />
        </button>
      </div>
      {impossible && impossible.ratios.length > 0 && (
        <p id={reasonId} className={styles.reason}>
          {impossible.reason}
        </p>
      )}
    </fieldset>
  );
}

function Shape({ width, height }: { readonly width: number; readonly height: number }) {
  const scale = longest / Math.max(width, height);
  return (
    <svg width={box} height={box} viewBox={`0 0 ${box} ${box}`} aria-hidden>
      <rect
        x={(box - width * scale) / 2}
        y={(box - height * scale) / 2}
        width={width * scale}
        height={height * scale}
        rx="3"
      />
    </svg>
  );
}
