/** The controls below the video: play, position, sound and full screen. */
import { Maximize, Minimize, Pause, Play, Volume2, VolumeX } from 'lucide-react';
import { type ComponentProps, useLayoutEffect, useRef } from 'react';

import { IconButton } from '#ui/button';

import { type Actions } from './actions.ts';
import { playerTexts as texts } from './texts.ts';

import styles from './player.module.css';

/** The state of the video element. */
export type VideoState = {
  /** Seconds. */
  readonly time: number;
  /** Seconds; 0 while it is not known. */
  readonly duration: number;
  readonly isPlaying: boolean;
  readonly isMuted: boolean;
  /** From 0 to 1. */
  readonly volume: number;
  /** It plays, but has nothing to show yet. */
  readonly isWaiting: boolean;
};

type ControlsProps = {
  readonly state: VideoState;
  readonly actions: Actions;
  readonly isFull: boolean;
};

const icon = { 'aria-hidden': true, size: 22 } as const;

export function Controls({ state, actions, isFull }: ControlsProps) {
  const { time, duration, isPlaying, isMuted, volume } = state;
  const [now, total] = [formatTime(time), formatTime(duration)];
  const shownVolume = isMuted ? 0 : volume;

  return (
    <div className={styles.controls}>
      <Slider
        name="seek"
        className={styles.seek}
        aria-label={texts.seek}
        aria-valuetext={texts.timeText(now, total)}
        step="any"
        max={duration}
        value={time}
        disabled={duration === 0}
        onMove={actions.seek}
      />
      <div className={styles.row}>
        <IconButton
          label={isPlaying ? texts.pause : texts.play}
          icon={isPlaying ? <Pause {...icon} /> : <Play {...icon} />}
          onClick={actions.toggle}
        />
        <span className={styles.time}>{texts.time(now, total)}</span>
        <IconButton
          label={isMuted ? texts.unmute : texts.mute}
          icon={isMuted ? <VolumeX {...icon} /> : <Volume2 {...icon} />}
          onClick={actions.mute}
        />
        <Slider
          name="volume"
          className={styles.volume}
          aria-label={texts.volume}
          aria-valuetext={texts.percent(Math.round(shownVolume * 100))}
          step={0.1}
          max={1}
          value={shownVolume}
          onMove={actions.setVolume}
        />
        <IconButton
          label={isFull ? texts.leaveFullscreen : texts.fullscreen}
          icon={isFull ? <Minimize {...icon} /> : <Maximize {...icon} />}
          onClick={actions.toggleFullscreen}
        />
      </div>
    </div>
  );
}

/** `mm:ss`, with more than 60 minutes where needed; 00:00 while the time is not known. */
function formatTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.floor(seconds) : 0;
  return [Math.floor(whole / 60), whole % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

type SliderProps = Pick<
  ComponentProps<'input'>,
  'name' | 'step' | 'disabled' | 'className' | 'aria-label' | 'aria-valuetext'
> & {
  readonly value: number;
  /** The minimum is 0. */
  readonly max: number;
  readonly onMove: (value: number) => void;
};

/** A range input whose part up to the thumb is coloured. */
function Slider({ value, max, onMove, className = '', ...rest }: SliderProps) {
  const input = useRef<HTMLInputElement>(null);
  const share = max > 0 ? value / max : 0;

  // Only a style sheet can draw the parts of a slider.
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
