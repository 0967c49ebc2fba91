/** Texts as the loader returns them from text modules. */
import { type Parameter, type Text } from '#scripts/languages/texts.ts';

export type TextSource = (...values: never[]) => string;

/** A text of Home, or of the bot where the key is that of a command. */
export function textFrom(
  source: string | TextSource,
  parameters: readonly Parameter[] = [],
  key = 'key',
): Text {
  return {
    file: 'src/features/home/texts.ts',
    namespace: key.startsWith('commands.') ? 'server-bot' : 'home',
    key,
    path: ['texts', ...key.split('.')],
    english:
      typeof source === 'string'
        ? source
        : { parameters, call: (values) => String(Reflect.apply(source, undefined, values)) },
  };
}

export const count: Parameter = { name: 'count', type: 'number' };
export const name: Parameter = { name: 'name', type: 'string' };
export const isBlocked: Parameter = { name: 'isBlocked', type: 'boolean' };
