/** Makes the scripts of a text module in another language from its messages. */
import {
  isArgumentElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';

import { brandArgument, type Parameter, type Text } from './texts.ts';

/** The module that the compiled texts import for plurals. */
export const pluralModule = 'virtual:plural';

/**
 * The source of that module. The rules are made when the first plural is said: the first object of `Intl`
 * costs a slow phone milliseconds.
 */
export function pluralSource(locale: string): string {
  return `let rules;
export const plural = (count, forms) =>
  forms['=' + count] ?? forms[(rules ??= new Intl.PluralRules(${JSON.stringify(locale)})).select(count)] ?? forms.other;
`;
}

export type Target = {
  /** Whether strings among the words are kept from turning them around. */
  readonly isRightToLeft: boolean;
  /** The name of the product. */
  readonly brand: string;
};

type Translated = {
  /** What the text module exports. */
  readonly exported: Readonly<Record<string, unknown>>;
  readonly texts: readonly Text[];
  readonly getMessage: (text: Text) => readonly MessageFormatElement[];
};

/** The source of a text module that exports the same trees with translated texts. */
export function compileModule({ exported, texts, getMessage }: Translated, target: Target): string {
  const byPath = new Map(texts.map((text) => [text.path.join('\0'), text]));
  const write = (value: unknown, path: readonly string[]): string => {
    const text = byPath.get(path.join('\0'));
    if (text !== undefined) {
      return compileText(text, getMessage(text), target);
    }
    if (Array.isArray(value)) {
      return `[${value.map((part, index) => write(part, [...path, String(index)])).join(',')}]`;
    }
    const parts = Object.entries(value ?? {}).map(
      ([name, part]) => `${JSON.stringify(name)}:${write(part, [...path, name])}`,
    );
    return `{${parts.join(',')}}`;
  };
  const body = Object.entries(exported)
    .map(([name, tree]) => `export const ${name} = ${write(tree, [name])};\n`)
    .join('');
  return [
    body.includes('$plural(') ? `import { plural as $plural } from '${pluralModule}';\n` : '',
    body.includes('$count(') ? `import { formatCount as $count } from '#lib/format';\n` : '',
    body,
  ].join('');
}

/** One text as an expression: a string, or a function with the parameters of the English one. */
export function compileText(
  { english }: Pick<Text, 'english'>,
  message: readonly MessageFormatElement[],
  target: Target,
): string {
  const parameters = typeof english === 'string' ? [] : english.parameters;
  const said = template(compileParts(message, { parameters, target, counted: '' }));
  return typeof english === 'string'
    ? said
    : `(${parameters.map(({ name }) => name).join(',')})=>${said}`;
}

type Scope = {
  readonly parameters: readonly Parameter[];
  readonly target: Target;
  /** The argument of the plural around, which `#` stands for. */
  readonly counted: string;
};

/** A piece of a template: text, or an expression. */
type Part = { readonly text: string } | { readonly expression: string };

function compileParts(elements: readonly MessageFormatElement[], scope: Scope): Part[] {
  return elements.map((element): Part => {
    if (isPoundElement(element)) {
      return { expression: scope.counted };
    }
    if (isLiteralElement(element)) {
      return { text: element.value };
    }
    const { value: name } = element;
    const parameter = scope.parameters.find((known) => known.name === name);
    if (parameter === undefined) {
      return { text: name === brandArgument ? scope.target.brand : `{${name}}` };
    }
    if (isPluralElement(element) || isSelectElement(element)) {
      const forms = Object.entries(element.options).map(([form, { value }]): [string, string] => {
        const counted = isPluralElement(element) ? name : scope.counted;
        return [form, template(compileParts(value, { ...scope, counted }))];
      });
      return { expression: isPluralElement(element) ? plural(name, forms) : select(name, forms) };
    }
    if (isArgumentElement(element)) {
      const isIsolated = scope.target.isRightToLeft && parameter.type === 'string';
      return { expression: isIsolated ? `\`\u2068\${${name}}\u2069\`` : name };
    }
    if (isNumberElement(element)) {
      return { expression: `$count(${name})` };
    }
    throw new TypeError(`{${name}} is used as something that messages here cannot have`);
  });
}

function plural(name: string, forms: readonly (readonly [string, string])[]): string {
  const [first] = forms;
  return forms.length === 1 && first !== undefined
    ? first[1]
    : `$plural(${name},{${forms.map(([form, said]) => `${JSON.stringify(form)}:${said}`).join(',')}})`;
}

function select(name: string, forms: readonly (readonly [string, string])[]): string {
  const other = forms.find(([form]) => form === 'other')?.[1] ?? '``';
  return forms
    .filter(([form]) => form !== 'other')
    .reduceRight(
      (rest, [form, said]) => `(\`\${${name}}\`===${JSON.stringify(form)}?${said}:${rest})`,
      other,
    );
}

function template(parts: readonly Part[]): string {
  const body = parts.map((part) =>
    'text' in part
      ? part.text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
      : `\${${part.expression}}`,
  );
  return `\`${body.join('')}\``;
}
