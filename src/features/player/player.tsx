/** A video with our own controls. A stream that breaks off is opened again once, at the same position. */
import { type RefObject, useEffect, useRef, useState } from 'react';

import { Spinner } from '#ui/spinner';

import { play, seekTo, useFullscreen, useShortcuts, useVideoActions } from './actions.ts';
import { Controls, type VideoState } from './controls.tsx';
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
