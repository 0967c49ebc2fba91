/** Asks before something that cannot be taken back. */
import { useRef } from 'react';

import { usePlatform } from '#lib/platform';

import { settingsTexts } from './texts.ts';

type Question = {
  readonly title: string;
  /** At most 256 characters. */
  readonly message: string;
  readonly confirm: string;
};

/** Resolves to whether the person agreed. A second press meanwhile asks nothing, and is no yes. */
export function useConfirmation({ title, message, confirm }: Question): () => Promise<boolean> {
  const platform = usePlatform();
  const isAsking = useRef(false);

  return async () => {
    if (isAsking.current) {
      return false;
    }
    isAsking.current = true;
    platform.haptic('warning');
    const answer = await platform.popup({
      title,
      message,
      buttons: [
        { id: 'cancel', text: settingsTexts.cancel, kind: 'cancel' },
        { id: 'confirm', text: confirm, kind: 'destructive' },
      ],
    });
    isAsking.current = false;
    return answer === 'confirm';
  };
}
