/** What the user can do with a video by button, slider or key: play, seek, volume, full screen. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

import { dialogStack } from '#ui/dialog';

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

const volumeSteps = 10;

type Options = {
  /** Called at once: the element's own events come later, and the next press on a slider starts from what is shown. */
  readonly onAction: () => void;
  /** What the user asked for, whether or not the browser does it. */
  readonly onToggle: (isPlaying: boolean) => void;
  readonly toggleFullscreen: () => void;
};

export function useVideoActions(
  video: RefObject<HTMLVideoElement | null>,
  { onAction, onToggle, toggleFullscreen }: Options,
): Actions {
  const withVideo = (act: (element: HTMLVideoElement) => void) => {
    if (video.current) {
      act(video.current);
      onAction();
    }
  };
  const changeVolume = (steps: number) =>
    withVideo((element) => setVolume(element, element.volume * volumeSteps + steps));

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
    setVolume: (volume) => withVideo((element) => setVolume(element, volume * volumeSteps)),
    louder: () => changeVolume(1),
    quieter: () => changeVolume(-1),
    mute: () =>
      withVideo((element) => {
        element.muted = !element.muted;
        // A user who unmutes wants to hear something.
        if (!element.muted && element.volume === 0) {
          element.volume = 1;
        }
      }),
    toggleFullscreen,
  };
}

/** A failure is not handled here: the element reports it by its `error` event. */
export function play(element: HTMLVideoElement): void {
  element.play().catch(() => undefined);
}

/** The duration is not known while a stream is opening; the element then starts at the given second. */
export function seekTo(element: HTMLVideoElement, seconds: number): void {
  const end = Number.isNaN(element.duration) ? Infinity : element.duration;
  element.currentTime = Math.min(end, Math.max(0, seconds));
}

/** Counts in whole steps, because sums of 0.1 are inexact. */
function setVolume(element: HTMLVideoElement, steps: number): void {
  element.volume = Math.min(volumeSteps, Math.max(0, Math.round(steps))) / volumeSteps;
  element.muted = element.volume === 0;
}

/** How long the browser has to fill the screen before the page is filled instead. */
const fullscreenTimeoutMs = 700;

/** Fills the screen with the player, or the page where the browser refuses or does not respond. */
export function useFullscreen(frame: RefObject<HTMLElement | null>) {
  const [isScreenFilled, setIsScreenFilled] = useState(false);
  const [isFallback, setIsFallback] = useState(false);
  const isPageFilled = isFallback && !isScreenFilled;
  const isRequested = useRef(false);

  useEffect(() => {
    const update = () => {
      const isOurs = document.fullscreenElement === frame.current && frame.current !== null;
      if (isOurs && !isRequested.current) {
        // The browser was slow, and the user has left full screen meanwhile.
        document.exitFullscreen().catch(() => undefined);
        return;
      }
      setIsScreenFilled(isOurs);
      if (isOurs) {
        setIsFallback(false);
      } else {
        isRequested.current = false;
      }
    };
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, [frame]);

  useEffect(() => {
    if (!isPageFilled) {
      return undefined;
    }
    const leave = () => {
      isRequested.current = false;
      setIsFallback(false);
    };
    const leaveByKey = ({ key }: KeyboardEvent) => key === 'Escape' && leave();
    document.addEventListener('keydown', leaveByKey);
    // Telegram's back button leaves it, too.
    const leaveStack = dialogStack.enter({ close: leave });
    return () => {
      document.removeEventListener('keydown', leaveByKey);
      leaveStack();
    };
  }, [isPageFilled]);

  async function enter(): Promise<void> {
    const isEntered = await requestFullscreen(frame.current);
    // Without support `fullscreenElement` is undefined.
    if (!isEntered && !document.fullscreenElement) {
      setIsFallback(true);
    }
  }

  return {
    isFull: isScreenFilled || isPageFilled,
    /** The page is filled in place of the screen. */
    isPageFilled,
    toggle: () => {
      isRequested.current = !isScreenFilled && !isPageFilled;
      if (isPageFilled) {
        setIsFallback(false);
      } else if (isScreenFilled) {
        // Rejects only when full screen has ended already.
        document.exitFullscreen().catch(() => undefined);
      } else {
        void enter();
      }
    },
  };
}

/** Resolves to whether the browser fills the screen in time. */
async function requestFullscreen(element: HTMLElement | null): Promise<boolean> {
  // Telegram for iPhone has no such function.
  if (typeof element?.requestFullscreen !== 'function') {
    return false;
  }
  const timeout = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), fullscreenTimeoutMs);
  });
  const request = element.requestFullscreen().then(
    () => true,
    () => false,
  );
  return Promise.race([request, timeout]);
}

const seekS = 5;

/** Where a key was pressed. */
type KeyTarget = {
  readonly isInPlayer: boolean;
  /** The space bar presses this element. */
  readonly isPressable: boolean;
  readonly slider: 'seek' | 'volume' | undefined;
};

type Shortcut = {
  /** Whether the key belongs to the player at this target; always when absent. */
  readonly isActive?: (target: KeyTarget) => boolean;
  readonly act: (actions: Actions, target: KeyTarget) => void;
};

const outsideVolume = ({ slider }: KeyTarget) => slider !== 'volume';
/** Elsewhere on the page these keys scroll. */
const inPlayer = ({ isInPlayer, slider }: KeyTarget) => isInPlayer && slider !== 'volume';

const shortcuts: Readonly<Record<string, Shortcut>> = {
  ' ': { isActive: ({ isPressable }) => !isPressable, act: ({ toggle }) => toggle() },
  k: { act: ({ toggle }) => toggle() },
  m: { act: ({ mute }) => mute() },
  f: { act: ({ toggleFullscreen }) => toggleFullscreen() },
  arrowleft: { isActive: outsideVolume, act: ({ seekBy }) => seekBy(-seekS) },
  arrowright: { isActive: outsideVolume, act: ({ seekBy }) => seekBy(seekS) },
  // On a slider all four arrows move the slider.
  arrowup: {
    isActive: inPlayer,
    act: ({ seekBy, louder }, { slider }) => (slider === 'seek' ? seekBy(seekS) : louder()),
  },
  arrowdown: {
    isActive: inPlayer,
    act: ({ seekBy, quieter }, { slider }) => (slider === 'seek' ? seekBy(-seekS) : quieter()),
  },
};

/** Listens on the whole page, except where a key has another meaning. */
export function useShortcuts(frame: RefObject<HTMLElement | null>, actions: Actions): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || hasModifier || !(event.target instanceof HTMLElement)) {
      return;
    }
    const target = readTarget(event.target, frame.current);
    const shortcut = target && shortcuts[event.key.toLowerCase()];
    if (shortcut && (shortcut.isActive?.(target) ?? true)) {
      event.preventDefault();
      shortcut.act(actions, target);
    }
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** Undefined in dialogs and in fields where the user types. */
function readTarget(element: HTMLElement, frame: HTMLElement | null): KeyTarget | undefined {
  const isSlider = element instanceof HTMLInputElement && element.type === 'range';
  const isField = element instanceof HTMLInputElement && !isSlider;
  if (isField || element.closest('dialog, textarea, select, [contenteditable]')) {
    return undefined;
  }
  return {
    isInPlayer: frame?.contains(element) === true,
    isPressable: element.closest('button, a, summary') !== null,
    slider: isSlider ? (element.name === 'volume' ? 'volume' : 'seek') : undefined,
  };
}
