/** Waits until a page does not change any more, before it is measured. */
import { expect, type Frame, type Page } from '@playwright/test';

/** Waits until all animations have ended, except endless ones such as a spinner. */
export async function settle(app: Frame | Page): Promise<void> {
  await expect
    .poll(() =>
      app.evaluate(
        () =>
          document.getAnimations().filter(
            ({ effect, playState, timeline }) =>
              // Scroll-driven animations have another timeline.
              timeline === document.timeline &&
              playState === 'running' &&
              effect?.getComputedTiming().endTime !== Infinity,
          ).length,
      ),
    )
    .toBe(0);
}
