/** Copying with haptic feedback. */
import { usePlatform } from './platform.ts';

/** Returns the function that copies a text. It resolves to false when the browser or the user refused. */
export function useCopyText(): (text: string) => Promise<boolean> {
  const platform = usePlatform();
  return async (text) => {
    const isCopied = await platform.copy(text);
    platform.haptic(isCopied ? 'success' : 'error');
    return isCopied;
  };
}
