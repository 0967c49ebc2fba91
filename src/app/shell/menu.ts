/** A menu behind a button: closed by Escape, which gives the focus back, and by a click elsewhere. */
import { type RefObject, useEffect, useState } from 'react';

type Menu = {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
};

/** `area` holds menu and button; `opener` holds the button. */
export function useMenu(
  area: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
): Menu {
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const closeOutside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !area.current?.contains(target)) {
        setIsOpen(false);
      }
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') {
        setIsOpen(false);
        opener.current?.querySelector('button')?.focus();
      }
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('keydown', closeByKey);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('keydown', closeByKey);
    };
  }, [isOpen, area, opener]);

  return { isOpen, toggle: () => setIsOpen(!isOpen), close: () => setIsOpen(false) };
}
