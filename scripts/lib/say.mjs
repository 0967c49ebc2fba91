/** The commands' messages on the terminal: what is happening, and after a failure what to do. */
import process from 'node:process';

/** A failure whose message says what to do; it is printed without a stack. */
export class Stop extends Error {}

/** Prints in one line what is happening. @param {string} text */
export function say(text) {
  process.stdout.write(`nori: ${text}\n`);
}

/** Prints a heading for the next step, so that a long log can be skimmed. @param {string} text */
export function heading(text) {
  process.stdout.write(`\n── ${text} ${'─'.repeat(Math.max(3, 68 - text.length))}\n`);
}

/**
 * Ends the command: a known failure with its message, an unknown one with its stack.
 * @param {unknown} failure
 * @returns {never}
 */
export function giveUp(failure) {
  const text =
    failure instanceof Stop
      ? failure.message
      : failure instanceof Error
        ? (failure.stack ?? failure.message)
        : String(failure);
  process.stderr.write(`\nnori: ${text}\n`);
  process.exit(1);
}

/** Formats a duration: "0.8 s", "2 min 5 s". @param {number} ms */
export function duration(ms) {
  if (ms < 60_000) {
    return `${(ms / 1000).toFixed(1)} s`;
  }
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
