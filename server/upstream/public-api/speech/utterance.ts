/** What a reader of a language gives to the synthesiser: sounds in their order, with melody and length. */

export type Spoken = {
  /** The name of a sound in `phonemes.ts`. */
  readonly sound: string;
  /** Pitch at its start and its end, as parts of the voice's own; 1 when absent. */
  readonly pitch?: readonly [number, number];
  /** As a part of the usual length; 1 when absent. */
  readonly length?: number;
};

/** Sounds that are written with spaces between. */
export function spoken(names: string, shape: Omit<Spoken, 'sound'> = {}): readonly Spoken[] {
  return names
    .split(' ')
    .filter((name) => name !== '')
    .map((sound) => Object.assign({ sound }, shape));
}
