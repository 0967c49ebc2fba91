/** A video with its controls. A stream that breaks off is opened again once, at the same position. */
import { Maximize, Minimize, Pause, Play, Volume2, VolumeX } from 'lucide-react';
import {
  type RefObject,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  useLayoutEffect,
} from 'react';

import { IconButton } from '#ui/button';
import { Spinner } from '#ui/spinner';

import {
  play,
  seekTo,
  useFullscreen,
  useShortcuts,
  useVideoActions,
  type Actions,
} from './actions.ts';
import { playerTexts as texts } from './texts.ts';

import styles from './player.module.css';

type PlayerProps = {
  /** The URL to start with. */
  readonly source: string;
  /** Fetches a new URL, as the present one may have expired; undefined when there is none. */
  readonly renew: () => Promise<string | undefined>;
  /** The stream cannot be played. */
  readonly onFail: () => void;
};

const initialState: VideoState = {
  time: 0,
  duration: 0,
  isPlaying: false,
  isMuted: false,
  volume: 1,
  isWaiting: false,
};

export function Player(props: PlayerProps) {
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState(initialState);
  const fullscreen = useFullscreen(frame);
  const stream = useStream(video, props);

  const update = (isWaiting?: boolean) => {
    const { current } = video;
    if (current) {
      setState((previous) => ({
        time: current.currentTime,
        // While a stream is reopened its duration is unknown; the slider keeps its length.
        duration: Number.isFinite(current.duration) ? current.duration : previous.duration,
        isPlaying: !current.paused,
        isMuted: current.muted,
        volume: current.volume,
        isWaiting: isWaiting ?? previous.isWaiting,
      }));
    }
  };

  const actions = useVideoActions(video, {
    onAction: () => update(),
    onToggle: stream.onToggle,
    toggleFullscreen: fullscreen.toggle,
  });
  useShortcuts(frame, actions);

  return (
    <section
      ref={frame}
      className={styles.frame}
      data-filled={fullscreen.isPageFilled}
      aria-label={texts.player}
      tabIndex={-1}
    >
      <div className={styles.stage}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- Streams have no captions; the keys are those of useShortcuts. */}
        <video
          ref={video}
          className={styles.video}
          playsInline
          preload="metadata"
          onClick={actions.toggle}
          onLoadedMetadata={() => {
            stream.onLoaded();
            update(false);
          }}
          onDurationChange={() => update()}
          onTimeUpdate={() => update()}
          onSeeking={() => update(true)}
          onSeeked={() => update(false)}
          onPlay={() => {
            stream.onPlayOrPause();
            update();
          }}
          onPause={() => {
            stream.onPlayOrPause();
            update(false);
          }}
          onEnded={() => update(false)}
          onWaiting={() => update(true)}
          onPlaying={() => update(false)}
          onCanPlay={() => update(false)}
          onVolumeChange={() => update()}
          onError={() => {
            update(true);
            void stream.repair();
          }}
        />
        {state.isWaiting && (
          <div className={styles.waiting}>
            <Spinner />
            <output className="visually-hidden">{texts.waiting}</output>
          </div>
        )}
      </div>
      <Controls state={state} actions={actions} isFull={fullscreen.isFull} />
    </section>
  );
}

/** A renewed stream must play for this many seconds before it may be renewed again. */
const minProgressS = 1;

/** Opens the stream, closes it when the player goes, and opens a new one when it breaks off. */
function useStream(
  video: RefObject<HTMLVideoElement | null>,
  { source, renew, onFail }: PlayerProps,
) {
  const [firstSource] = useState(source);
  const hasLoaded = useRef(false);
  /** From the error until the next stream has loaded. */
  const isBroken = useRef(false);
  const shouldPlay = useRef(false);
  /** Where the last renewal started. A stream that breaks there again has not expired: it has failed. */
  const renewedAt = useRef<number>(undefined);

  useEffect(() => {
    const element = video.current;
    // Not a prop: removing the element alone would leave the stream open.
    element?.setAttribute('src', firstSource);
    return () => {
      element?.removeAttribute('src');
      element?.load();
    };
  }, [video, firstSource]);

  return {
    async repair() {
      const element = video.current;
      // Some browsers report the removal of the URL as an error.
      if (!element?.hasAttribute('src')) {
        return;
      }
      isBroken.current = true;
      const at = element.currentTime;
      const hasProgressed =
        renewedAt.current === undefined || at > renewedAt.current + minProgressS;
      renewedAt.current = hasProgressed ? at : renewedAt.current;
      const renewed = hasLoaded.current && hasProgressed ? await renew() : undefined;
      if (!element.hasAttribute('src')) {
        return;
      }
      if (renewed === undefined) {
        onFail();
        return;
      }
      // The user may have moved it while the URL was fetched.
      const position = element.currentTime;
      element.setAttribute('src', renewed);
      seekTo(element, position);
    },

    /** The metadata of the stream has loaded. */
    onLoaded() {
      hasLoaded.current = true;
      if (video.current && isBroken.current && shouldPlay.current) {
        play(video.current);
      }
      isBroken.current = false;
    },

    onPlayOrPause() {
      // The browser itself pauses a stream that has broken off, at once or a moment later.
      if (video.current && !isBroken.current && video.current.error === null) {
        shouldPlay.current = !video.current.paused;
      }
    },

    /** The user has pressed Play or Pause. */
    onToggle: (isPlaying: boolean) => {
      shouldPlay.current = isPlaying;
    },
  };
}

/** The state of the video element. */
type VideoState = {
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

function Controls({ state, actions, isFull }: ControlsProps) {
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
