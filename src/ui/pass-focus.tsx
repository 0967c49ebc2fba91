/** Where the focus goes when what has it is taken away: a button that its own press removes, another try. */

/**
 * As the `ref` of a part that may go while it has the focus: the nearest place around it that can hold
 * the focus (`tabIndex={-1}`; the page's content at the latest) then takes it, instead of nothing.
 */
export function passFocusOn(part: HTMLElement | null): () => void {
  return () => {
    if (part?.contains(document.activeElement) === true) {
      part.parentElement?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
    }
  };
}
