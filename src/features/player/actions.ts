/** What can be done with a video, by button, slider or key. */
import { type RefObject } from 'react';

export type Actions = {
  readonly toggle: () => void;
  /** To a second of the video. */
  readonly seek: (seconds: number) => void;
  readonly seekBy: (seconds: number) => void;
  /** From 0 to 1, in steps of a tenth. */
  readonly setVolume: (volume: number) => void;
  readonly louder: () => void;
  readonly quieter: () => void;
  readonly mute: () => void;
  readonly toggleFullscreen: () => void;
};

const stepsOfVolume = 10;

type Listeners = {
  /** Told at once: the element's own events come later, and the next press on a slider starts from what is shown. */
  readonly onActed: () => void;
  /** What the person wants, whether or not the browser does it. */
  readonly onToggle: (isPlaying: boolean) => void;
  readonly toggleFullscreen: () => void;
};

/** The actions on the video of a frame. */
export function useVideoActions(
  video: RefObject<HTMLVideoElement | null>,
  { onActed, onToggle, toggleFullscreen }: Listeners,
): Actions {
  const withVideo = (act: (element: HTMLVideoElement) => void) => {
    if (video.current) {
      act(video.current);
      onActed();
    }
  };
  const louderBy = (steps: number) =>
    withVideo((element) => setVolume(element, element.volume * stepsOfVolume + steps));

  return {
    toggle: () =>
      withVideo((element) => {
        onToggle(element.paused);
        if (element.paused) {
          play(element);
        } else {
          element.pause();
        }
      }),
    seek: (seconds) => withVideo((element) => seekTo(element, seconds)),
    seekBy: (seconds) => withVideo((element) => seekTo(element, element.currentTime + seconds)),
    setVolume: (volume) => withVideo((element) => setVolume(element, volume * stepsOfVolume)),
    louder: () => louderBy(1),
    quieter: () => louderBy(-1),
    mute: () =>
      withVideo((element) => {
        element.muted = !element.muted;
        // Nobody turns the sound on to hear nothing.
        if (!element.muted && element.volume === 0) {
          element.volume = 1;
        }
      }),
    toggleFullscreen,
  };
}

/** Plays where the browser lets it: what keeps a video from playing shows itself as its error. */
export function play(element: HTMLVideoElement): void {
  element.play().catch(() => undefined);
}

export function seekTo(element: HTMLVideoElement, seconds: number): void {
  // While a stream is being opened nobody knows its end; the element then begins where it was told to.
  const end = Number.isNaN(element.duration) ? Infinity : element.duration;
  element.currentTime = Math.min(end, Math.max(0, seconds));
}

/** In whole steps: sums of tenths are not tenths. */
function setVolume(element: HTMLVideoElement, steps: number): void {
  element.volume = Math.min(stepsOfVolume, Math.max(0, Math.round(steps))) / stepsOfVolume;
  element.muted = element.volume === 0;
}
