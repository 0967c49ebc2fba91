/** Moves an element to where it belongs; at once for those who want no motion. */

const glideMs = 220;
const easing = 'cubic-bezier(0.2, 0.8, 0.2, 1)';

/** Resolves when the element is there, or when another movement has taken over. */
export async function glide(element: HTMLElement, transform: string): Promise<void> {
  const from = element.style.transform || 'none';
  element.style.transform = transform;
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (isStill || from === transform || typeof element.animate !== 'function') {
    return;
  }
  const movement = element.animate([{ transform: from }, { transform }], {
    duration: glideMs,
    easing,
  });
  // Rejected when the element goes meanwhile; then there is nothing left to wait for.
  await movement.finished.catch(() => undefined);
}
