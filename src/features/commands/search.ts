/** Whether a command is what somebody is looking for. */
import { type Command } from './catalogue/index.ts';

/** Looks at title and description, in any case; a slash before the term is taken for a command's. */
export function matches({ title, description }: Command, term: string): boolean {
  const wanted = term.replace(/^\/(?=\w)/, '').toLocaleLowerCase();
  return (
    title.toLocaleLowerCase().includes(wanted) || description.toLocaleLowerCase().includes(wanted)
  );
}
