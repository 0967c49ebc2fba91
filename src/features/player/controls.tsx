/** The row under the video: play, place, sound and size. */
import { Maximize, Minimize, Pause, Play, Volume2, VolumeX } from 'lucide-react';

import { IconButton } from '#ui/button';

import { type Actions } from './actions.ts';
import { asClock } from './clock.ts';
import { Slider } from './slider.tsx';
import { playerTexts as texts } from './texts.ts';

import styles from './player.module.css';

const iconSize = 22;

/** What the video element says of itself. */
export type VideoState = {
  /** Seconds. */
  readonly time: number;
  /** Seconds; 0 as long as nobody knows. */
  readonly duration: number;
  readonly isPlaying: boolean;
  readonly isMuted: boolean;
  /** From 0 to 1. */
  readonly volume: number;
  /** There is nothing to show yet, although it plays. */
  readonly isWaiting: boolean;
};

type ControlsProps = {
  readonly state: VideoState;
  readonly actions: Actions;
  readonly isFull: boolean;
};

export function Controls({ state, actions, isFull }: ControlsProps) {
  const { time, duration, isPlaying, isMuted, volume } = state;
  const [now, total] = [asClock(time), asClock(duration)];
  const shownVolume = isMuted ? 0 : volume;

  return (
    <div className={styles.controls}>
      <Slider
        name="seek"
        className={styles.seek}
        aria-label={texts.seek}
        aria-valuetext={texts.timeOf(now, total)}
        step="any"
        max={duration}
        value={time}
        disabled={duration === 0}
        onMove={actions.seek}
      />
      <div className={styles.row}>
        <IconButton
          label={isPlaying ? texts.pause : texts.play}
          icon={
            isPlaying ? <Pause aria-hidden size={iconSize} /> : <Play aria-hidden size={iconSize} />
          }
          onClick={actions.toggle}
        />
        <span className={styles.time}>{texts.time(now, total)}</span>
        <IconButton
          label={isMuted ? texts.unmute : texts.mute}
          icon={
            isMuted ? (
              <VolumeX aria-hidden size={iconSize} />
            ) : (
              <Volume2 aria-hidden size={iconSize} />
            )
          }
          onClick={actions.mute}
        />
        <Slider
          name="volume"
          className={styles.volume}
          aria-label={texts.volume}
          aria-valuetext={texts.percent(shownVolume)}
          step={0.1}
          max={1}
          value={shownVolume}
          onMove={actions.setVolume}
        />
        <IconButton
          label={isFull ? texts.leaveFullscreen : texts.fullscreen}
          icon={
            isFull ? (
              <Minimize aria-hidden size={iconSize} />
            ) : (
              <Maximize aria-hidden size={iconSize} />
            )
          }
          onClick={actions.toggleFullscreen}
        />
      </div>
    </div>
  );
}
