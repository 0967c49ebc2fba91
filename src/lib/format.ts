/** Formats numbers and lists for users. */
import { listTexts } from '#contract/list-texts';

/** The parts as one text, with the comma of the language between them; empty for no parts. */
export function joinList(parts: readonly string[]): string {
  return parts.length === 0 ? '' : parts.reduce((list, part) => listTexts.list(list, part));
}

/**
 * A whole number as the language writes it; in English with commas between thousands: 12,345. Without
 * `Intl`, which takes milliseconds on a slow phone: figures that count up are formatted in each frame.
 */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, import.meta.env.NORI_THOUSANDS);
}
