/** Shows a screen's primary action on the container's main button. */
import { useEffect, useEffectEvent } from 'react';

import { usePlatform } from './platform.ts';

type MainAction = {
  readonly text: string;
  readonly isEnabled: boolean;
  readonly isBusy: boolean;
  readonly press: () => void;
};

/**
 * Shows the action on the container's main button while the calling component is mounted. Returns
 * whether there is such a button; the screen then leaves out its own.
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
