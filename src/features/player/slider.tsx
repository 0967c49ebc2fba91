/** A slider that shows how much of it is done. */
import { type ComponentProps, useLayoutEffect, useRef } from 'react';

import styles from './slider.module.css';

type SliderProps = Pick<
  ComponentProps<'input'>,
  'name' | 'step' | 'disabled' | 'className' | 'aria-label' | 'aria-valuetext'
> & {
  readonly value: number;
  /** It begins at 0. */
  readonly max: number;
  readonly onMove: (value: number) => void;
};

export function Slider({ value, max, onMove, className = '', ...rest }: SliderProps) {
  const input = useRef<HTMLInputElement>(null);
  const share = max > 0 ? value / max : 0;

  // Its parts can only be drawn by a style sheet, which has to know the share.
  useLayoutEffect(() => input.current?.style.setProperty('--share', String(share)), [share]);

  return (
    <input
      {...rest}
      ref={input}
      type="range"
      className={`${styles.slider} ${className}`}
      min={0}
      max={max}
      value={value}
      onChange={(event) => onMove(event.currentTarget.valueAsNumber)}
    />
  );
}
