/** When a page has come to rest, so that it can be looked at. */
import { expect, type Frame, type Page } from '@playwright/test';

/** Waits until nothing moves or fades any more but what never ends, such as a spinner. */
export async function settle(app: Frame | Page): Promise<void> {
  await expect
    .poll(() =>
      app.evaluate(
        () =>
          document.getAnimations().filter(
            ({ effect, playState, timeline }) =>
              // Others follow the scrolling, not the clock.
              timeline === document.timeline &&
              playState === 'running' &&
              effect?.getComputedTiming().endTime !== Infinity,
          ).length,
      ),
    )
    .toBe(0);
}
