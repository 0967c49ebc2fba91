/** The moving parts of the image viewer: gestures, keys, and the container's own swipes out of the way. */
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

import { usePlatform } from '#lib/platform';

import { followGestures, type Gestures } from './gestures.ts';

type ViewerOptions = {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly track: RefObject<HTMLDivElement | null>;
  readonly ids: readonly string[];
  /** Which one is shown. */
  readonly index: number;
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
};

/** How far an arrow key moves a zoomed picture, and how much a key zooms. */
const keyPanPx = 80;
const keyZoom = 1.5;

const arrows: Readonly<Record<string, { readonly x: number; readonly y: number } | undefined>> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

export function useViewer({ dialog, stage, track, ids, index, onShow, onClose }: ViewerOptions) {
  const platform = usePlatform();
  const gestures = useRef<Gestures>(undefined);
  const [isZoomed, setZoomed] = useState(false);
  const shownId = ids[index];

  const hasNeighbour = useEffectEvent((step: -1 | 1) => ids[index + step] !== undefined);
  const show = useEffectEvent((position: number) => {
    const id = ids.at(position);
    if (id !== undefined) {
      onShow(id);
    }
  });
  const step = useEffectEvent((by: -1 | 1) => show(index + by));
  const close = useEffectEvent(() => onClose());

  useEffect(() => {
    const element = dialog.current;
    if (!element || !stage.current || !track.current) {
      return undefined;
    }
    const holder = track.current;
    const followed = followGestures({
      stage: stage.current,
      track: holder,
      shown: () => holder.querySelector<HTMLElement>('[data-shown]') ?? undefined,
      hasNeighbour: (by) => hasNeighbour(by),
      onStep: (by) => step(by),
      onClose: () => close(),
      onZoom: setZoomed,
      onDrag: (share) => element.style.setProperty('--drag', String(share)),
    });
    gestures.current = followed;
    const press = (event: KeyboardEvent) => {
      if (
        !event.ctrlKey &&
        !event.metaKey &&
        !event.altKey &&
        pressKey(followed, event.key, show)
      ) {
        event.preventDefault();
      }
    };
    element.addEventListener('keydown', press);
    return () => {
      followed.stop();
      element.removeEventListener('keydown', press);
    };
  }, [dialog, stage, track]);

  // Before the next paint: the shown picture has become another element, and the track is moved.
  useLayoutEffect(() => gestures.current?.beginWith(shownId), [shownId]);

  useEffect(() => platform.holdVerticalSwipes(), [platform]);

  return {
    isZoomed,
    step: (by: -1 | 1) => gestures.current?.step(by),
    toggleZoom: () => gestures.current?.zoom.toggle(),
  };
}

/** Answers whether the key means something here. */
function pressKey(
  { zoom, step }: Gestures,
  key: string,
  show: (position: number) => void,
): boolean {
  const arrow = arrows[key];
  if (arrow && zoom.isZoomed()) {
    zoom.pan({ x: arrow.x * keyPanPx, y: arrow.y * keyPanPx });
  } else if (key === 'ArrowLeft') {
    step(-1);
  } else if (key === 'ArrowRight') {
    step(1);
  } else if (key === 'Home') {
    show(0);
  } else if (key === 'End') {
    show(-1);
  } else if (key === '+' || key === '=') {
    zoom.by(keyZoom);
  } else if (key === '-') {
    zoom.by(1 / keyZoom);
  } else if (key === '0') {
    zoom.reset();
  } else {
    return false;
  }
  return true;
}
