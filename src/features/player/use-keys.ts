/** The keys of the player: space and K, arrows, M, F. */
import { type RefObject, useEffect, useEffectEvent } from 'react';

import { type Actions } from './actions.ts';

const seekS = 5;

/** Where a key is pressed. */
type Place = {
  readonly isInside: boolean;
  /** A press of the space bar means something there already. */
  readonly isPressable: boolean;
  readonly slider: 'seek' | 'volume' | undefined;
};

type Deed = {
  /** Where the key belongs to the player; everywhere when absent. */
  readonly isOurs?: (place: Place) => boolean;
  readonly act: (actions: Actions, place: Place) => void;
};

const notOnVolume = ({ slider }: Place) => slider !== 'volume';
/** Elsewhere on the page these scroll. */
const inside = ({ isInside, slider }: Place) => isInside && slider !== 'volume';

const deeds: Readonly<Record<string, Deed>> = {
  ' ': { isOurs: ({ isPressable }) => !isPressable, act: ({ toggle }) => toggle() },
  k: { act: ({ toggle }) => toggle() },
  m: { act: ({ mute }) => mute() },
  f: { act: ({ toggleFullscreen }) => toggleFullscreen() },
  arrowleft: { isOurs: notOnVolume, act: ({ seekBy }) => seekBy(-seekS) },
  arrowright: { isOurs: notOnVolume, act: ({ seekBy }) => seekBy(seekS) },
  // A slider moves by all of its arrows.
  arrowup: {
    isOurs: inside,
    act: ({ seekBy, louder }, { slider }) => (slider === 'seek' ? seekBy(seekS) : louder()),
  },
  arrowdown: {
    isOurs: inside,
    act: ({ seekBy, quieter }, { slider }) => (slider === 'seek' ? seekBy(-seekS) : quieter()),
  },
};

/** Works on the whole page, except where a key means something else. */
export function useKeys(frame: RefObject<HTMLElement | null>, actions: Actions): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const isWithOthers = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || isWithOthers || !(target instanceof HTMLElement)) {
      return;
    }
    const place = placeOf(target, frame.current);
    const deed = place && deeds[event.key.toLowerCase()];
    if (deed && (deed.isOurs?.(place) ?? true)) {
      event.preventDefault();
      deed.act(actions, place);
    }
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Undefined where people type or are asked something. */
function placeOf(target: HTMLElement, frame: HTMLElement | null): Place | undefined {
  const isSlider = target instanceof HTMLInputElement && target.type === 'range';
  if (target.closest('dialog, textarea, select, [contenteditable]')) {
    return undefined;
  }
  if (target instanceof HTMLInputElement && !isSlider) {
    return undefined;
  }
  return {
    isInside: frame?.contains(target) === true,
    isPressable: target.closest('button, a, summary') !== null,
    slider: isSlider ? (target.name === 'volume' ? 'volume' : 'seek') : undefined,
  };
}
