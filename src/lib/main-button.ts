/** A screen's one primary action on the container's own main button. */
import { useEffect, useEffectEvent } from 'react';

import { usePlatform } from './platform.ts';

type MainAction = {
  readonly text: string;
  readonly isEnabled: boolean;
  readonly isBusy: boolean;
  readonly press: () => void;
};

/**
 * Puts the action on the container's main button while the calling screen is shown. Answers whether
 * there is one: the screen then leaves its own button out, as two primaries confuse.
 */
export function useMainButton(action: MainAction | undefined): boolean {
  const platform = usePlatform();
  const press = useEffectEvent(() => action?.press());
  const isShown = action !== undefined;
  const { text = '', isEnabled = false, isBusy = false } = action ?? {};

  useEffect(() => {
    if (isShown) {
      platform.setMainButton({ text, isEnabled, isBusy, press: () => press() });
    }
  }, [platform, isShown, text, isEnabled, isBusy]);

  useEffect(
    () => (isShown ? () => platform.setMainButton(undefined) : undefined),
    [platform, isShown],
  );

  return platform.hasMainButton && isShown;
}
