/** A video with controls of its own. A stream that breaks off is opened once more, at the same place. */
import { useRef, useState } from 'react';

import { Spinner } from '#ui/spinner';

import { useVideoActions } from './actions.ts';
import { Controls, type VideoState } from './controls.tsx';
import { playerTexts as texts } from './texts.ts';
import { useFullscreen } from './use-fullscreen.ts';
import { useKeys } from './use-keys.ts';
import { useSource } from './use-source.ts';

import styles from './player.module.css';

type PlayerProps = {
  readonly source: string;
  /** See `useSource`. */
  readonly renew: () => Promise<string | undefined>;
  readonly onFail: () => void;
};

const atRest: VideoState = {
  time: 0,
  duration: 0,
  isPlaying: false,
  isMuted: false,
  volume: 1,
  isWaiting: false,
};

export function Player({ source, renew, onFail }: PlayerProps) {
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState(atRest);
  const fullscreen = useFullscreen(frame);
  const { repair, arrive, follow, mean } = useSource(video, { source, renew, onFail });

  const look = (isWaiting?: boolean) => {
    const { current } = video;
    if (current) {
      setState((known) => ({
        time: current.currentTime,
        // While a stream is opened again nothing is known of it, and its slider stays as long.
        duration: Number.isFinite(current.duration) ? current.duration : known.duration,
        isPlaying: !current.paused,
        isMuted: current.muted,
        volume: current.volume,
        isWaiting: isWaiting ?? known.isWaiting,
      }));
    }
  };

  const actions = useVideoActions(video, {
    onActed: () => look(),
    onToggle: mean,
    toggleFullscreen: fullscreen.toggle,
  });
  useKeys(frame, actions);

  return (
    <section
      ref={frame}
      className={styles.frame}
      data-filled={fullscreen.isFilled}
      aria-label={texts.player}
      tabIndex={-1}
    >
      <div className={styles.stage}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- Streams come without captions; the keys are the player's own. */}
        <video
          ref={video}
          className={styles.video}
          playsInline
          preload="metadata"
          onClick={actions.toggle}
          onLoadedMetadata={() => {
            arrive();
            look(false);
          }}
          onDurationChange={() => look()}
          onTimeUpdate={() => look()}
          onSeeking={() => look(true)}
          onSeeked={() => look(false)}
          onPlay={() => {
            follow();
            look();
          }}
          onPause={() => {
            follow();
            look(false);
          }}
          onEnded={() => look(false)}
          onWaiting={() => look(true)}
          onPlaying={() => look(false)}
          onCanPlay={() => look(false)}
          onVolumeChange={() => look()}
          onError={() => {
            look(true);
            void repair();
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
