/** The imports between the project's own files, type-only and dynamic ones included. */
import fs from 'node:fs';
import path from 'node:path';

const folders = ['contract', 'server', 'src', 'scripts', 'tests'];
const sourceFile = /\.(?:ts|tsx|mjs|css)$/;
/** `from '…'`, `import '…'`, `import('…')`, `new URL('…', …)`, and `composes: … from '…'` in CSS. */
const importPattern =
  /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|new URL\(\s*|@import\s+)['"]([^'"]+)['"]/g;

export type ImportGraph = {
  /** Paths from the project's root, with `/`, sorted. */
  readonly files: readonly string[];
  readonly getImports: (file: string) => readonly string[];
  readonly getImporters: (file: string) => readonly string[];
};

/** Reads every source file below `root`. Resolves the import map of package.json as Node does. */
export function readImportGraph(root: string): ImportGraph {
  const files = folders
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`),
    )
    .filter((file) => sourceFile.test(file))
    .toSorted();
  const known = new Set(files);
  const aliases = readAliases(root);
  const imports = new Map(
    files.map((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      const targets = [...text.matchAll(importPattern)].flatMap(([, specifier = '']) => {
        const target = resolve(file, specifier, aliases);
        return target !== undefined && known.has(target) && target !== file ? [target] : [];
      });
      return [file, [...new Set(targets)]];
    }),
  );
  const importers = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const [file, targets] of imports) {
    for (const target of targets) {
      importers.get(target)?.push(file);
    }
  }
  return {
    files,
    getImports: (file) => imports.get(file) ?? [],
    getImporters: (file) => importers.get(file) ?? [],
  };
}

type Alias = { readonly start: string; readonly end: string; readonly target: string };

function readAliases(root: string): readonly Alias[] {
  const { imports } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.entries<string>(imports).map(([key, target]) => {
    const [start = '', end = ''] = key.split('*');
    return { start, end: key.includes('*') ? end : '\n', target: target.replace('./', '') };
  });
}

/** The longest key that fits wins, as in Node. Undefined for packages. */
function resolve(file: string, specifier: string, aliases: readonly Alias[]): string | undefined {
  if (specifier.startsWith('.')) {
    return path.posix.join(path.posix.dirname(file), specifier);
  }
  const alias = aliases
    .filter(({ start, end }) =>
      end === '\n' ? specifier === start : specifier.startsWith(start) && specifier.endsWith(end),
    )
    .toSorted((one, other) => other.start.length - one.start.length)[0];
  return alias?.target.replace('*', specifier.slice(alias.start.length));
}

/** Groups of files that import each other in a circle; empty when there is none. */
export function findCircles({ files, getImports }: ImportGraph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  // Tarjan's algorithm: a group ends at the file from which nothing older can be reached.
  function visit(file: string): void {
    const index = order.size;
    order.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    for (const target of getImports(file)) {
      if (!order.has(target)) {
        visit(target);
      }
      if (stack.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
      }
    }
    if (lowest.get(file) === index) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) {
        circles.push(group.toSorted());
      }
    }
  }

  for (const file of files) {
    if (!order.has(file)) {
      visit(file);
    }
  }
  return circles;
}

const isProduct = (file: string) => /^(?:contract|server|src)\//.test(file);

/**
 * Modules of the product that exactly one other file of the product imports. Style sheets do not count, and neither
 * do text modules, which are apart so that they can be translated.
 */
export function findSingleImporters({ files, getImporters }: ImportGraph): readonly string[] {
  return files.filter(
    (file) =>
      isProduct(file) &&
      !/\.css$|[/-]texts\.ts$/.test(file) &&
      getImporters(file).filter(isProduct).length === 1,
  );
}
