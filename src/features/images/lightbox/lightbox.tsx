/**
 * Pictures enlarged over the whole page: swipe or arrow keys to the neighbours, pinch, wheel or
 * double-tap to zoom; Escape, the backdrop, dragging down and the container's back button close it.
 */
import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { IconButton } from '#ui/button';
import { useModal } from '#ui/dialog';

import { historyTexts } from '../history/texts.ts';
import { useViewer } from './use-viewer.ts';

import styles from './lightbox.module.css';

type LightboxProps = {
  /** The ids of the pictures, in the order of swiping. */
  readonly ids: readonly string[];
  /** One of them. */
  readonly shownId: string;
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
  /** Draws a picture, best with `LargePicture`. The neighbours of the shown one are drawn, too: that preloads them. */
  readonly renderPicture: (id: string) => ReactNode;
  /** Said below the shown picture. */
  readonly caption?: ReactNode;
  /** What can be done with the shown picture: icon buttons. */
  readonly actions?: ReactNode;
};

const icon = { 'aria-hidden': true, size: 22 } as const;
const { viewer: texts } = historyTexts;

export function Lightbox({
  ids,
  shownId,
  onShow,
  onClose,
  renderPicture,
  caption,
  actions,
}: LightboxProps) {
  const modal = useModal(onClose);
  const index = ids.indexOf(shownId);
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const viewer = useViewer({ dialog: modal.ref, stage, track, ids, index, onShow, onClose });

  return (
    <dialog {...modal} className={styles.viewer} aria-label={texts.label}>
      <div className={styles.shade} />
      <div ref={stage} className={styles.stage}>
        <div ref={track} className={styles.track}>
          {[-1, 0, 1].map((place) => {
            const id = ids[index + place];
            return id === undefined ? null : (
              <div key={id} className={styles.slide} data-place={place} inert={place !== 0}>
                <div className={styles.picture} data-shown={place === 0 || undefined}>
                  {renderPicture(id)}
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
        {caption !== undefined && <p className={styles.caption}>{caption}</p>}
        {ids.length > 1 && (
          // Not disabled at the ends: a disabled button drops the focus, and with it all keys.
          <div className={styles.steps}>
            <IconButton
              label={texts.previous}
              icon={<ChevronLeft {...icon} />}
              aria-disabled={index <= 0}
              onClick={() => viewer.step(-1)}
            />
            <output className={styles.position}>{texts.position(index + 1, ids.length)}</output>
            <IconButton
              label={texts.next}
              icon={<ChevronRight {...icon} />}
              aria-disabled={index >= ids.length - 1}
              onClick={() => viewer.step(1)}
            />
          </div>
        )}
      </div>
    </dialog>
  );
}
