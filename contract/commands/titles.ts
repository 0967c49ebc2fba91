/** Title and description of each command, apart from the table because few readers of the table show them. */
import { adultTexts } from './adult-texts.ts';
import { animeTexts } from './anime-texts.ts';
import { groupTexts } from './group-texts.ts';
import { type CommandId } from './index.ts';
import { inlineTexts } from './inline-texts.ts';
import { miscTexts } from './misc-texts.ts';

/** A command without title and description does not compile. */
export const commandTexts = {
  ...groupTexts,
  ...animeTexts,
  ...miscTexts,
  ...inlineTexts,
  ...adultTexts,
} as const satisfies Readonly<
  Record<CommandId, { readonly title: string; readonly description: string }>
>;
