/** The fields that the providers' forms share: long texts, the seed, numbers on a slider and the aspect ratio. */
import { ChevronLeft, ChevronRight, Dices } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';

import { ratios } from '#contract/images/ratios';
import { formatCount } from '#lib/format';
import { usePlatform } from '#lib/platform';
import { IconButton } from '#ui/button';
import { pageDirection } from '#ui/direction';
import { Field } from '#ui/field';

import { parseSeed, type Recipe } from './recipe.ts';
import { formTexts as texts } from './texts.ts';

import styles from './form-fields.module.css';

type TextAreaProps = Omit<
  ComponentProps<'textarea'>,
  'className' | 'aria-describedby' | 'onChange' | 'value'
> & {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Controls at the end of the label's line. */
  readonly aside?: ReactNode;
  /** In characters. */
  readonly limit: number;
};

/** The count is shown from this share of the maximum on. */
const nearlyFull = 0.9;

/** A text as long as a prompt may be. A longer one is marked as invalid, and not cut off. */
export function TextArea({ label, value, onChange, aside, limit, ...rest }: TextAreaProps) {
  const id = useId();
  const isTooLong = value.length > limit;
  const isCounted = value.length >= limit * nearlyFull;
  const count = `${formatCount(value.length)} / ${formatCount(limit)}`;

  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <textarea
        {...rest}
        id={id}
        className={styles.area}
        value={value}
        aria-invalid={isTooLong || undefined}
        aria-describedby={isCounted ? `${id}-count` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {isCounted && (
        <p id={`${id}-count`} className={isTooLong ? styles.error : styles.count}>
          {isTooLong ? texts.tooLong(limit, count) : count}
        </p>
      )}
    </div>
  );
}

/** Both ends included. */
type SeedRange = { readonly min: number; readonly max: number };

type SeedFieldProps = {
  readonly label: string;
  /** Decimal digits, or empty. */
  readonly value: string;
  /** The range of random seeds. */
  readonly range: SeedRange;
  readonly error?: string | undefined;
  readonly onChange: (seed: string) => void;
};

export function SeedField({ label, value, range, error, onChange }: SeedFieldProps) {
  const platform = usePlatform();
  return (
    <Field
      label={label}
      inputMode="numeric"
      autoComplete="off"
      placeholder={texts.seedExample}
      value={value}
      error={error}
      onChange={(event) => onChange(parseSeed(event.target.value))}
      inside={
        <IconButton
          label={texts.randomSeed}
          icon={<Dices aria-hidden size={20} />}
          onClick={() => {
            platform.haptic('selection');
            onChange(String(randomInteger(range)));
          }}
        />
      }
    />
  );
}

function randomInteger({ min, max }: SeedRange): number {
  return min + Math.floor(Math.random() * (max - min + 1));
}

type SliderFieldProps = {
  readonly label: string;
  readonly value: number;
  /** Both ends included. */
  readonly range: { readonly min: number; readonly max: number };
  readonly onChange: (value: number) => void;
};

/** A whole number, shown beside its label. */
export function SliderField({ label, value, range: { min, max }, onChange }: SliderFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        <span className={styles.count} aria-hidden>
          {formatCount(value)}
        </span>
      </div>
      <input
        id={id}
        type="range"
        className={styles.slider}
        min={min}
        max={max}
        value={value}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </div>
  );
}

type RatioName = Recipe['ratio'];

type RatioPickerProps = {
  readonly value: RatioName;
  readonly onChange: (ratio: RatioName) => void;
  /** Ratios that the provider cannot make, and the reason as the user reads it. */
  readonly impossible?: { readonly ratios: readonly RatioName[]; readonly reason: string };
};

/** The share of the visible row that an arrow button scrolls. */
const pageShare = 0.7;

/** Radio buttons in a row that scrolls sideways; each shows the shape of its ratio. */
export function RatioPicker({ value, onChange, impossible }: RatioPickerProps) {
  const platform = usePlatform();
  const reasonId = useId();
  const row = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const strip = row.current;
    const chosen = strip?.querySelector<HTMLElement>(`[data-ratio="${value}"]`);
    if (strip && chosen) {
      // `scrollIntoView` would scroll the page, too.
      strip.scrollTo({ left: chosen.offsetLeft - (strip.clientWidth - chosen.offsetWidth) / 2 });
    }
  }, [value]);

  const scroll = (direction: -1 | 1) => {
    const width = row.current?.clientWidth ?? 0;
    row.current?.scrollBy({ left: direction * pageDirection() * width * pageShare });
  };

  return (
    <fieldset className={styles.picker}>
      <legend className={styles.legend}>{texts.ratio}</legend>
      <div className={styles.frame}>
        <Arrow title={texts.scrollBack} onClick={() => scroll(-1)}>
          <ChevronLeft aria-hidden size={20} />
        </Arrow>
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
        <Arrow title={texts.scrollOn} onClick={() => scroll(1)}>
          <ChevronRight aria-hidden size={20} />
        </Arrow>
      </div>
      {impossible && impossible.ratios.length > 0 && (
        <p id={reasonId} className={styles.reason}>
          {impossible.reason}
        </p>
      )}
    </fieldset>
  );
}

/** For mice, which cannot scroll sideways. Hidden from others, who have the radio buttons. */
function Arrow(props: ComponentProps<'button'>) {
  return <button {...props} type="button" tabIndex={-1} aria-hidden className={styles.arrow} />;
}

/** The square that a shape is drawn in, and the longer side of a shape, in px. */
const box = 32;
const longerSide = 26;

function Shape({ width, height }: { readonly width: number; readonly height: number }) {
  const scale = longerSide / Math.max(width, height);
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
