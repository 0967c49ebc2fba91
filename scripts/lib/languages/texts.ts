/** Reads the English texts from the text modules: constants, and functions with named arguments. */
import fs from 'node:fs';
import path from 'node:path';
import { parseSync, runnerImport } from 'vite';

import { parameterNames } from '#contract/text-functions';

import { root } from '../run.mjs';
import type * as AllTexts from './all-texts.ts';

export type Value = string | number | boolean;

export type Parameter = { readonly name: string; readonly type: 'string' | 'number' | 'boolean' };

export type TextFunction = {
  readonly parameters: readonly Parameter[];
  readonly call: (values: readonly Value[]) => string;
};

export type Text = {
  /** From the project's root: `src/features/home/texts.ts`. */
  readonly file: string;
  /** The name of its file of translations. */
  readonly namespace: string;
  /** Its key there. */
  readonly key: string;
  /** Where it is in the module: the export first. */
  readonly path: readonly string[];
  readonly english: string | TextFunction;
};

/** What is wrong, for the person who mends it. `file` is relative to the project. */
export type Finding = { readonly file: string; readonly key: string; readonly what: string };

/** The name of the product, which an installation can change, is an argument that the build fills. */
export const brandArgument = 'brand';

/** All texts in the order of the modules, and what in the modules cannot be translated. */
export async function loadTexts(): Promise<{
  readonly texts: readonly Text[];
  readonly findings: readonly Finding[];
  /** What each text module exports, by its file. */
  readonly modules: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}> {
  const { module } = await runnerImport<typeof AllTexts>(
    path.join(root, 'scripts/lib/languages/all-texts.ts'),
    {
      root,
      configFile: false,
      envDir: false,
      logLevel: 'warn',
      define: {
        'import.meta.env.VITE_BRAND_NAME': JSON.stringify(`{${brandArgument}}`),
        'import.meta.env.NORI_LANGUAGE': '"en"',
        'import.meta.env.NORI_LOCALE': '"en-GB"',
        'import.meta.env.NORI_THOUSANDS': '","',
      },
    },
  );
  const modules = Object.entries(module.textModules)
    .map(([name, exported]) => [name.slice(1), exported] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const all = modules.map(([file, exported]) => readModule(file, exported));
  return {
    modules: new Map(modules),
    texts: all.flatMap(({ texts }) => texts),
    findings: all.flatMap(({ findings }) => findings),
  };
}

/** The name of the file of translations that belongs to a text module. */
function toNamespace(file: string): string {
  return file
    .replace(/^src\/(?:features\/)?/, '')
    .replace(/^server\/services\//, 'server/')
    .replace(/(?:\/texts|-texts)\.ts$/, '')
    .replaceAll('/', '-');
}

/** The texts of one module. */
function readModule(file: string, exported: Readonly<Record<string, unknown>>) {
  const texts: Text[] = [];
  const findings: Finding[] = [];
  const namespace = toNamespace(file);
  const declared = readFunctions(file);
  const isAlone = Object.keys(exported).length === 1;

  const visit = (value: unknown, where: readonly string[]) => {
    const inTree = isAlone ? where.slice(1) : where;
    const key = (inTree.length === 0 ? where : inTree).join('.');
    if (typeof value === 'string') {
      texts.push({ file, namespace, key, path: where, english: value });
    } else if (isFunction(value)) {
      const parameters = findParameters(value, declared);
      if (typeof parameters === 'string') {
        findings.push({ file, key, what: parameters });
      } else {
        const call = (values: readonly Value[]) => String(Reflect.apply(value, undefined, values));
        texts.push({ file, namespace, key, path: where, english: { parameters, call } });
      }
    } else if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
      Object.entries(value).forEach(([name, part]) => visit(part, [...where, name]));
    } else {
      findings.push({
        file,
        key,
        what: `is a ${typeof value}: a text module exports texts alone, so move it elsewhere`,
      });
    }
  };
  Object.entries(exported).forEach(([name, value]) => visit(value, [name]));
  return { texts, findings };
}

type AnyFunction = (...values: never[]) => string;

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** A function in the source: the name of its property, and its parameters with their types as written. */
type Declared = {
  readonly name: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: Parameter['type'] | undefined;
  }[];
};

/** The parameters, or why translations cannot have them. */
function findParameters(text: AnyFunction, declared: readonly Declared[]): Parameter[] | string {
  let names: string[];
  try {
    names = parameterNames(text);
  } catch {
    return 'takes a parameter that is no plain name: write one name with the type string, number or boolean for each';
  }
  const same = declared.filter(
    ({ parameters }) =>
      parameters.length === names.length &&
      parameters.every(({ name }, index) => name === names[index]),
  );
  const found = same.find(({ name }) => name === text.name) ?? same[0];
  const parameters = found?.parameters.flatMap(({ name, type }) =>
    type === undefined ? [] : [{ name, type }],
  );
  return parameters?.length === names.length
    ? parameters
    : `takes something else than plain strings, numbers and booleans: (${names.join(', ')})`;
}

/** The functions of a module with the types of their parameters, which a loaded module does not have any more. */
function readFunctions(file: string): Declared[] {
  const found: Declared[] = [];
  const visit = (node: unknown, name: string) => {
    if (Array.isArray(node)) {
      node.forEach((part) => visit(part, ''));
    } else if (isNode(node)) {
      if (Array.isArray(node['params'])) {
        found.push({ name, parameters: node['params'].map(readParameter) });
      }
      const ownName = isNode(node['key'])
        ? String(node['key']['name'] ?? node['key']['value'])
        : '';
      Object.values(node).forEach((part) => visit(part, ownName));
    }
  };
  visit(parseSync(file, fs.readFileSync(path.join(root, file), 'utf8')).program.body, '');
  return found;
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

const typeNames: Readonly<Record<string, Parameter['type']>> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
};

function readParameter(node: unknown): Declared['parameters'][number] {
  if (!isNode(node) || node['type'] !== 'Identifier' || node['optional'] === true) {
    return { name: isNode(node) ? String(node['name']) : '', type: undefined };
  }
  const annotation = isNode(node['typeAnnotation']) ? node['typeAnnotation']['typeAnnotation'] : '';
  const type = isNode(annotation) ? typeNames[String(annotation['type'])] : undefined;
  return { name: String(node['name']), type };
}
