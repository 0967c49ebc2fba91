/**
 * Enlarged pictures over the whole page: swipe or arrow keys to the neighbours, pinch, wheel or double tap
 * to zoom; Escape, the backdrop, dragging down and Telegram's back button close it.
 */
import { ChevronLeft, ChevronRight, ImageOff, X, ZoomIn, ZoomOut } from 'lucide-react';
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

import { usePlatform } from '#lib/platform';
import { IconButton } from '#ui/button';
import { useModal } from '#ui/dialog';
import { readingKey } from '#ui/direction';
import { Spinner } from '#ui/spinner';

import { shortenPrompt } from '../history/record-words.ts';
import { historyTexts } from '../history/texts.ts';
import { usePicture } from '../shared/pictures.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { createGestures, type Gestures, type Step } from './gestures.ts';

import styles from './lightbox.module.css';

type LightboxProps = {
  /** One record for each picture, in the order of swiping. */
  readonly pictures: readonly GenerationRecord[];
  /** One of them. */
  readonly shown: GenerationRecord;
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
  readonly caption: string;
  /** Icon buttons for the shown picture. */
  readonly actions?: ReactNode;
};

const icon = { 'aria-hidden': true, size: 22 } as const;
const { viewer: texts } = historyTexts;

export function Lightbox(props: LightboxProps) {
  const { pictures, shown, onClose, caption, actions } = props;
  const modal = useModal(onClose);
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const index = pictures.findIndex(({ id }) => id === shown.id);
  const viewer = useViewer({ dialog: modal.ref, stage, track, index, ...props });

  /** Within the stage the gestures decide, as a drag also ends with a click. */
  const closeOnBackdrop = ({ target }: MouseEvent) => {
    const isBackdrop =
      target instanceof Element &&
      !stage.current?.contains(target) &&
      !target.closest('button, [role="menu"]');
    if (isBackdrop) {
      onClose();
    }
  };

  return (
    // The backdrop is for pointers only; Escape and the button close it as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog {...modal} className={styles.viewer} aria-label={texts.label} onClick={closeOnBackdrop}>
      <div className={styles.shade} />
      <div ref={stage} className={styles.stage}>
        <div ref={track} className={styles.track}>
          {/* The neighbours are rendered to preload them. */}
          {[-1, 0, 1].map((place) => {
            const picture = pictures[index + place];
            return picture === undefined ? null : (
              <div key={picture.id} className={styles.slide} data-place={place} inert={place !== 0}>
                <div className={styles.picture} data-shown={place === 0 || undefined}>
                  <LargePicture record={picture} />
                </div>
              </div>
            );
          })}
        </div>
      </div>
      <div className={styles.top}>
        <IconButton label={texts.close} icon={<X {...icon} />} onClick={onClose} />
        <div className={styles.actions}>
          <IconButton
            label={viewer.isZoomed ? texts.zoomOut : texts.zoomIn}
            icon={viewer.isZoomed ? <ZoomOut {...icon} /> : <ZoomIn {...icon} />}
            onClick={viewer.toggleZoom}
          />
          {actions}
        </div>
      </div>
      <div className={styles.bottom}>
        <p className={styles.caption}>{caption}</p>
        {pictures.length > 1 && (
          // Not disabled at the ends: a disabled button loses the focus, and then no key works.
          <div className={styles.steps}>
            <IconButton
              label={texts.previous}
              icon={<ChevronLeft {...icon} />}
              aria-disabled={index <= 0}
              onClick={() => viewer.step(-1)}
            />
            <output className={styles.position}>
              {texts.position(index + 1, pictures.length)}
            </output>
            <IconButton
              label={texts.next}
              icon={<ChevronRight {...icon} />}
              aria-disabled={index >= pictures.length - 1}
              onClick={() => viewer.step(1)}
            />
          </div>
        )}
      </div>
    </dialog>
  );
}

/** A picture as large as the stage: its thumbnail until the original has loaded. */
function LargePicture({ record }: { readonly record: GenerationRecord }) {
  const thumbnail = usePicture(record, 'thumbnail');
  const { url, state } = usePicture(record, 'original');
  const [outcome, setOutcome] = useState<{ readonly url: string; readonly hasLoaded: boolean }>();
  const result = url === undefined || outcome?.url !== url ? undefined : outcome;
  const isFailed = state === 'missing' || result?.hasLoaded === false;

  return (
    <div className={styles.large}>
      {result?.hasLoaded !== true &&
        (thumbnail.url === undefined ? (
          <div className={styles.placeholder}>
            {isFailed ? (
              <>
                <ImageOff aria-hidden size={32} />
                <p>{texts.failed}</p>
              </>
            ) : (
              <Spinner label={texts.loading} />
            )}
          </div>
        ) : (
          <img src={thumbnail.url} alt="" draggable={false} />
        ))}
      {url !== undefined && !isFailed && (
        <img
          src={url}
          alt={shortenPrompt(record.prompt)}
          draggable={false}
          onLoad={() => setOutcome({ url, hasLoaded: true })}
          onError={() => setOutcome({ url, hasLoaded: false })}
        />
      )}
    </div>
  );
}

type ViewerOptions = Pick<LightboxProps, 'pictures' | 'onShow' | 'onClose'> & {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly track: RefObject<HTMLDivElement | null>;
  /** Of the shown picture. */
  readonly index: number;
};

/** Connects gestures and keys to the pictures, and keeps Telegram's own swipes away. */
function useViewer({ dialog, stage, track, pictures, index, onShow, onClose }: ViewerOptions) {
  const platform = usePlatform();
  const gestures = useRef<Gestures>(undefined);
  const [isZoomed, setIsZoomed] = useState(false);
  const shownId = pictures[index]?.id;

  const hasNeighbour = useEffectEvent((step: Step) => pictures[index + step] !== undefined);
  const show = useEffectEvent((position: number) => {
    const picture = pictures.at(position);
    if (picture) {
      onShow(picture.id);
    }
  });
  const step = useEffectEvent((by: Step) => show(index + by));
  const close = useEffectEvent(() => onClose());

  useEffect(() => {
    const element = dialog.current;
    const trackElement = track.current;
    if (!element || !stage.current || !trackElement) {
      return undefined;
    }
    const created = createGestures({
      stage: stage.current,
      track: trackElement,
      getPicture: () => trackElement.querySelector<HTMLElement>('[data-shown]') ?? undefined,
      hasNeighbour: (by) => hasNeighbour(by),
      onStep: (by) => step(by),
      onClose: () => close(),
      onZoom: setIsZoomed,
      onDrag: (share) => element.style.setProperty('--drag', String(share)),
    });
    gestures.current = created;
    const onKey = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (!hasModifier && pressKey(created, event.key, show)) {
        event.preventDefault();
      }
    };
    element.addEventListener('keydown', onKey);
    return () => {
      created.stop();
      element.removeEventListener('keydown', onKey);
    };
  }, [dialog, stage, track]);

  // Before the next paint, because the track is still moved and the shown picture is another element.
  useLayoutEffect(() => gestures.current?.setPicture(shownId), [shownId]);

  useEffect(() => platform.holdVerticalSwipes(), [platform]);

  return {
    isZoomed,
    step: (by: Step) => gestures.current?.step(by),
    toggleZoom: () => gestures.current?.zoom.toggle(),
  };
}

/** How far an arrow key moves a zoomed picture, and by how much a key zooms. */
const keyPanPx = 80;
const keyZoom = 1.5;

const arrows: Readonly<Record<string, { readonly x: number; readonly y: number } | undefined>> = {
  ArrowLeft: { x: keyPanPx, y: 0 },
  ArrowRight: { x: -keyPanPx, y: 0 },
  ArrowUp: { x: 0, y: keyPanPx },
  ArrowDown: { x: 0, y: -keyPanPx },
};

/** Returns whether the key is one of the lightbox. */
function pressKey(
  { zoom, step }: Gestures,
  key: string,
  show: (position: number) => void,
): boolean {
  const arrow = arrows[key];
  const towards = readingKey(key);
  if (arrow && zoom.isZoomed()) {
    zoom.pan(arrow);
  } else if (towards === 'ArrowLeft') {
    step(-1);
  } else if (towards === 'ArrowRight') {
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
