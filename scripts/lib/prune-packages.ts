/**
 * For the image of the server: leaves in node_modules what the server loads, and nothing that only the build or an editor
 * reads. The app has its packages in dist.
 */
import fs from 'node:fs';
import { relative, resolve } from 'node:path';
import * as v from 'valibot';

const names = v.optional(v.record(v.string(), v.string()), {});
const lockFile = v.object({
  packages: v.record(
    v.string(),
    v.object({
      dev: v.optional(v.boolean(), false),
      dependencies: names,
      optionalDependencies: names,
      peerDependencies: names,
      peerDependenciesMeta: v.optional(
        v.record(v.string(), v.object({ optional: v.optional(v.boolean(), false) })),
        {},
      ),
    }),
  ),
});

type Packages = v.InferOutput<typeof lockFile>['packages'];

const importPattern =
  /(?:\bfrom|\bimport\(|\bimport)\s*'(?<name>(?:@[\w.-]+\/)?[\w-][\w.-]*)[^'\s]*'/g;
const builtIn = 'node:';

/** The packages that the files import by name. */
export function listImportedPackages(root: string): readonly string[] {
  const files = fs.globSync('{contract,server}/**/*.ts', { cwd: root });
  const found = files.flatMap((file) =>
    [...fs.readFileSync(resolve(root, file), 'utf8').matchAll(importPattern)].flatMap(
      ({ 0: text, groups }) => (text.includes(builtIn) ? [] : [groups?.['name'] ?? '']),
    ),
  );
  return [...new Set(found)].toSorted();
}

/** Where a package is that another one asks for: beside it, or in a folder above. */
function findPackage(packages: Packages, from: string, name: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (path in packages || from === '') {
    return path in packages ? path : undefined;
  }
  return findPackage(
    packages,
    from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))),
    name,
  );
}

/** The folders of all packages that the server loads, directly or by another package. Throws when one is for developers only. */
export function listServerPackages(root: string): readonly string[] {
  const { packages } = v.parse(
    lockFile,
    JSON.parse(fs.readFileSync(resolve(root, 'package-lock.json'), 'utf8')),
  );
  const found = new Set<string>();
  const add = (path: string | undefined) => {
    const entry = path === undefined ? undefined : packages[path];
    if (path === undefined || entry === undefined || found.has(path)) {
      return;
    }
    if (entry.dev) {
      throw new Error(`${path} is loaded by the server, but stands in devDependencies`);
    }
    found.add(path);
    const peers = Object.keys(entry.peerDependencies).filter(
      (name) => entry.peerDependenciesMeta[name]?.optional !== true,
    );
    for (const name of [
      ...Object.keys(entry.dependencies),
      ...Object.keys(entry.optionalDependencies),
      ...peers,
    ]) {
      add(findPackage(packages, path, name));
    }
  };
  for (const name of listImportedPackages(root)) {
    const path = findPackage(packages, '', name);
    if (path === undefined) {
      throw new Error(`${name} is imported by the server, but is no dependency`);
    }
    add(path);
  }
  return [...found].toSorted();
}

/** Types and source maps. */
const unread = /\.(?:map|d\.[cm]?ts)$/;

/** Whether the server may load the file, which is named from the folder of the project. */
export const isLoaded = (file: string): boolean => !unread.test(file);

function prune(root: string): void {
  const kept = listServerPackages(root);
  const isKept = (file: string) =>
    isLoaded(file) &&
    kept.some(
      (path) =>
        file.startsWith(`${path}/`) && !file.slice(path.length).startsWith('/node_modules/'),
    );
  const entries = fs
    .readdirSync(resolve(root, 'node_modules'), { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: resolve(entry.parentPath, entry.name), entry }));
  for (const { path, entry } of entries) {
    if (!entry.isDirectory() && !isKept(relative(root, path))) {
      fs.rmSync(path);
    }
  }
  // Folders that are empty now, the deepest first.
  for (const { path, entry } of entries.toSorted(
    (one, other) => other.path.length - one.path.length,
  )) {
    if (entry.isDirectory() && fs.readdirSync(path).length === 0) {
      fs.rmdirSync(path);
    }
  }
}

if (import.meta.main) {
  prune(resolve(import.meta.dirname, '../..'));
}
