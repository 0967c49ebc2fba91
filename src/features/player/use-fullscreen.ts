/** Fills the screen with the player; where the browser refuses or does not answer, at least the page. */
import { type RefObject, useEffect, useRef, useState } from 'react';

import { dialogStack } from '#ui/dialog';

/** A browser that has not filled the screen by then will not. */
const patienceMs = 700;

export function useFullscreen(frame: RefObject<HTMLElement | null>): {
  readonly isFull: boolean;
  /** The page is filled in place of the screen. */
  readonly isFilled: boolean;
  readonly toggle: () => void;
} {
  const [isScreen, setIsScreen] = useState(false);
  const [isPage, setIsPage] = useState(false);
  const isFilled = isPage && !isScreen;
  const isWanted = useRef(false);

  useEffect(() => {
    const follow = () => {
      const isOurs = document.fullscreenElement === frame.current && frame.current !== null;
      if (isOurs && !isWanted.current) {
        // The browser took so long that the person has meanwhile left again.
        document.exitFullscreen().catch(() => undefined);
        return;
      }
      setIsScreen(isOurs);
      if (isOurs) {
        setIsPage(false);
      } else {
        isWanted.current = false;
      }
    };
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, [frame]);

  useEffect(() => {
    if (!isFilled) {
      return undefined;
    }
    const leave = () => {
      isWanted.current = false;
      setIsPage(false);
    };
    const leaveByKey = ({ key }: KeyboardEvent) => key === 'Escape' && leave();
    document.addEventListener('keydown', leaveByKey);
    // The container's back button leaves it, too.
    const goes = dialogStack.enter({ close: leave });
    return () => {
      document.removeEventListener('keydown', leaveByKey);
      goes();
    };
  }, [isFilled]);

  async function enter(): Promise<void> {
    const isRefused = await request(frame.current);
    // Where there is no such thing, it is undefined.
    if (isRefused && !document.fullscreenElement) {
      setIsPage(true);
    }
  }

  return {
    isFull: isScreen || isFilled,
    isFilled,
    toggle: () => {
      isWanted.current = !isScreen && !isFilled;
      if (isFilled) {
        setIsPage(false);
      } else if (isScreen) {
        // Refused only when the screen is no longer filled.
        document.exitFullscreen().catch(() => undefined);
      } else {
        void enter();
      }
    },
  };
}

/** Answers whether the browser will not do it. */
async function request(element: HTMLElement | null): Promise<boolean> {
  // Telegram's app on iPhones has no such function.
  if (typeof element?.requestFullscreen !== 'function') {
    return true;
  }
  const tooLate = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(true), patienceMs);
  });
  const asked = element.requestFullscreen().then(
    () => false,
    () => true,
  );
  return Promise.race([asked, tooLate]);
}
