/** Copying, with the tap that the container gives for it. */
import { usePlatform } from './platform.ts';

/** Copies a text; false when the browser, the frame or the person refused. */
export function useCopyText(): (text: string) => Promise<boolean> {
  const platform = usePlatform();
  return async (text) => {
    const isCopied = await platform.copy(text);
    platform.haptic(isCopied ? 'success' : 'error');
    return isCopied;
  };
}
