/** The client's build, and the projects of Vitest. */
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { type Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import {
  languageConstants,
  isPseudoLanguage,
  languageOfBuild,
  textDirection,
} from './scripts/lib/languages/build-language.ts';
import { translations } from './scripts/lib/languages/plugin.ts';

/** The server that `npm run dev` starts beside Vite. */
const devServer = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`;

/** The rules for single languages, each for its languages only: they would be 0.3 kB on every page of the others. */
const languageStyles: Plugin = {
  name: 'language-styles',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/ui\/languages\.css$/ },
    handler(css) {
      const tag = languageOfBuild();
      // The pseudo-languages are also tried from right to left.
      const direction = isPseudoLanguage(tag) ? 'rtl' : textDirection(tag);
      const names = [`:lang(${tag})`, `[dir='${direction}']`];
      const rules = css.match(/^:root[^]*?^\}$/gm) ?? [];
      const isOwn = ([selector = '']: string[]) => names.some((name) => selector.includes(name));
      return { code: rules.filter((rule) => isOwn(rule.split('{'))).join('\n'), map: null };
    },
  },
};

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Two letters for each style sheet, of its folder and its name, or the next that no other has. */
const sheetNames = new Map<string, string>();
for (const file of globSync('src/**/*.module.css', { cwd: import.meta.dirname }).toSorted()) {
  const taken = new Set(sheetNames.values());
  const folder = file.split(sep).slice(0, 3).join('/');
  const first = toNumber(folder) * letters.length + toNumber(file);
  const all = letters.length ** 2;
  const free = Array.from({ length: all }, (_place, index) => toLetters((first + index) % all, 2));
  sheetNames.set(file, free.find((name) => !taken.has(name)) ?? file);
}

/** Less than the number of letters, and the same for the same text. */
function toNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() % letters.length;
}

/**
 * Short and stable class names: they stand in scripts, pages and style sheets alike. Those of a style sheet begin
 * alike, because random letters do not compress.
 */
function className(name: string, file: string, css: string): string {
  const names = [...new Set(css.match(/(?<=\.|@keyframes )[a-z_][\w-]*/gi))];
  const sheet = sheetNames.get(relative(import.meta.dirname, file));
  if (sheet === undefined || !names.includes(name)) {
    throw new Error(`No short name for ${name} of ${file}.`);
  }
  return sheet + toLetters(names.indexOf(name));
}

/** A number in the base of the letters. */
function toLetters(number: number, length = 1): string {
  const last = letters.charAt(number % letters.length);
  const before = Math.floor(number / letters.length);
  return before === 0 && length <= 1 ? last : toLetters(before, length - 1) + last;
}

/** The class names of telegram-ui are hashes, which do not compress: six of their sixteen digits tell them apart. */
const shortLibraryNames: Plugin = {
  name: 'short-library-names',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /node_modules\/@telegram-apps\/telegram-ui\/dist\/.+\.(?:js|css)$/ },
    handler: (code) => ({
      code: code.replaceAll(/\b(tgui-[0-9a-f]{6})[0-9a-f]{10}\b/g, '$1'),
      map: null,
    }),
  },
};

/**
 * Lets the bundler drop the router's parts that nothing imports: it cannot know that these calls of
 * React have no effect, and names for React's developer tools keep the parts that they name.
 */
const unusedRouterParts: Plugin = {
  name: 'unused-router-parts',
  apply: 'build',
  transform: {
    filter: { id: /node_modules\/react-router\/dist\/production\// },
    handler: (code) => ({
      code: code
        .replaceAll(/^\w+\.displayName = "\w+";$/gm, '')
        .replaceAll(/= (?=React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ '),
      map: null,
    }),
  },
};

/**
 * Lets the bundler drop the parts of axios that nothing here uses: what hangs on its default export for others,
 * such as the names of all statuses, and the way to call that is not `fetch`.
 */
const unusedHttpParts: Plugin = {
  name: 'unused-http-parts',
  apply: 'build',
  transform: {
    filter: { id: /node_modules\/axios\/lib\/(?:axios|adapters\/adapters)\.js$/ },
    handler: (code) => ({
      code: code.replaceAll(/^axios\.\w+ = [^{\n]*;$/gm, '').replace(/^ *xhr: xhrAdapter,$/m, ''),
      map: null,
    }),
  },
};

/** Imports each icon from its own file: through the index, which names them all, the build cannot see who uses which. */
const singleIcons: Plugin = {
  name: 'single-icons',
  apply: 'build',
  transform: {
    filter: { code: 'lucide-react', id: /\/src\/.+\.tsx?$/ },
    handler: (code) => ({
      code: code.replaceAll(
        /^import \{([^}]+)\} from ["']lucide-react["'];?$/gm,
        (_statement, names: string) =>
          [...names.matchAll(/(\w+)(?: as (\w+))?/g)]
            .map(
              ([, icon = '', alias = icon]) =>
                `import ${alias} from 'lucide-react/icons/${toFileName(icon)}';`,
            )
            .join(''),
      ),
      map: null,
    }),
  },
};

/** `Share2` → `share-2`. */
const toFileName = (icon: string) => icon.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase();

type Modules = {
  getModuleInfo(id: string): {
    readonly importedIds: Ids;
    readonly dynamicallyImportedIds: Ids;
  } | null;
};

/** IDs of modules. */
type Ids = readonly string[];

/** Packages whose index names every part they have: being imported says nothing of being used. */
const barrels =
  /node_modules\/(?:@telegram-apps\/telegram-ui|@tanstack\/(?:query-core|react-query))\//;

const importedAtOnce =
  (modules: Modules) =>
  (id: string): Ids =>
    modules.getModuleInfo(id)?.importedIds ?? [];

const importedLater =
  (modules: Modules) =>
  (id: string): Ids =>
    modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [];

/** Adds modules to `found`, and what they import, directly or not. */
function collect(found: Set<string>, ids: Ids, imports: (id: string) => Ids): Set<string> {
  for (const id of ids) {
    if (!found.has(id) && !barrels.test(id)) {
      found.add(id);
      collect(found, imports(id), imports);
    }
  }
  return found;
}

/** What the page loads at once: everything that the entry imports, directly or not. */
const eagerModules = new Set<string>();

/**
 * One chunk for it: left to itself the bundler cuts it along the lines of what lazy screens share,
 * which compresses 1 kB worse and loads no sooner.
 */
const eager = (modules: Modules): ReadonlySet<string> =>
  collect(eagerModules, [join(import.meta.dirname, 'index.html')], importedAtOnce(modules));

let hubModules: ReadonlySet<string> | undefined;

/**
 * One chunk for what the image hub loads at once and no other screen has: left to itself the bundler cuts it along the
 * lines of what the hub's parts share that are loaded later, into a dozen files that are requested at the same time.
 */
function hubOnly(modules: Modules): ReadonlySet<string> {
  hubModules ??= findHubModules(modules);
  return hubModules;
}

const isHub = (id: string) => id.endsWith('/src/features/images/hub-screen.tsx');

function findHubModules(modules: Modules): ReadonlySet<string> {
  const [atOnce, later] = [importedAtOnce(modules), importedLater(modules)];
  const main = eager(modules);
  const entries = [...main].flatMap(later);
  // The screen itself stays a chunk of its own, by whose name its pages are found.
  const hub = collect(new Set(), entries.filter(isHub).flatMap(atOnce), atOnce);
  const others = collect(
    new Set(main),
    entries.filter((id) => !isHub(id)),
    (id) => [...atOnce(id), ...later(id)],
  );
  return new Set([...hub].filter((id) => !others.has(id)));
}

/** Nearly all screens have the styles of a page, which are too few for a request of their own. */
const isInMain = (id: string, modules: Modules) =>
  eager(modules).has(id) || id.endsWith('/src/ui/page.module.css');

/** What the same screens need. As one chunk, it compresses to a half, and the list of chunks is shorter. */
const groups = [
  {
    name: 'parts',
    test: /\/src\/ui\/(?:(?:dialog|confirm-dialog|section)\.tsx|(?:dialog|disclosure|empty-state|menu|search-field|section|select-field|skeleton|switch|tabs)\.module\.css)$/,
  },
  {
    name: 'chats',
    test: /\/src\/(?:features\/chats\/.+|ui\/avatar)\.module\.css$/,
  },
  {
    name: 'images',
    test: /\/src\/(?:features\/images\/.+|ui\/(?:masonry|strip))\.module\.css$/,
  },
  {
    name: 'form',
    test: /\/src\/ui\/(?:(?:card|field)\.tsx|(?:card|copy-button|field|otp-input|outside-button|resend-button)\.module\.css)$/,
  },
  // Those of Home, which other screens have, too.
  {
    name: 'icons',
    test: /\/lucide-react\/dist\/esm\/icons\/(?:layout-dashboard|log-in|search|send|sparkles)\.mjs$/,
  },
  // Small, and on nearly every page.
  { name: 'server', test: /\/src\/lib\/(?:capabilities|hydrated)\.ts$/ },
  // The two of a password's field.
  { name: 'eyes', test: /\/lucide-react\/dist\/esm\/icons\/eye(?:-off)?\.mjs$/ },
];

/** For hot reload. The build adds the plugin by itself, and reads the texts once for all languages. */
const servedTranslations: Plugin = {
  ...translations(languageOfBuild()),
  apply: (_config, { command }) => command === 'serve' && languageOfBuild() !== 'en',
};

/** What the build takes in the place of others. */
const builtInstead = [
  // What lucide draws an icon with can do much that is not needed here.
  {
    find: /^\.\.\/createLucideIcon\.mjs$/,
    replacement: join(import.meta.dirname, 'src/ui/icon.tsx'),
  },
  // The package names its development build for every bundler; the other one is 1 kB smaller.
  {
    find: /^react-router$/,
    replacement: join(import.meta.dirname, 'node_modules/react-router/dist/production/index.mjs'),
  },
];

const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/raid-process.test.ts');

/** Vitest starts with the largest files. The raid is a small one that waits for more than a minute, so it goes before them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Not that of an array.
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig(({ command }) => ({
  define: languageConstants(languageOfBuild(), { isSite: command === 'build' }),
  // Else a module that only types are imported from would be loaded, too.
  oxc: { typescript: { onlyRemoveTypeImports: false } },
  resolve: {
    ...(command === 'build' && { alias: builtInstead }),
  },
  css: {
    modules: command === 'build' ? { generateScopedName: className } : {},
  },
  plugins: [
    react(),
    languageStyles,
    shortLibraryNames,
    unusedRouterParts,
    unusedHttpParts,
    singleIcons,
    servedTranslations,
  ],
  build: {
    target: 'es2022',
    manifest: true,
    cssCodeSplit: true,
    // The entry's style sheet is inlined into each page; nothing else is worth a data URL.
    assetsInlineLimit: 0,
    // Browsers that cannot preload load when it is time; teaching them costs every page 0.5 kB.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Reading the texts takes the time that it takes.
      checks: { pluginTimings: false },
      // The package does not say so of itself: only what the login uses is then loaded there.
      treeshake: { moduleSideEffects: [{ test: /\/@simplewebauthn\//, sideEffects: false }] },
      output: {
        // Every page carries the list of all chunks: without names in it, it is 0.5 kB smaller, and 0.1 kB by
        // a shorter hash. 42 bits are plenty for the files that one browser keeps.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        codeSplitting: {
          groups: [
            { debugName: 'main', name: (id, chunks) => (isInMain(id, chunks) ? 'main' : null) },
            ...groups,
            // What else they need has its own chunks, for other screens have it, too.
            {
              debugName: 'hub',
              name: (id, chunks) => (hubOnly(chunks).has(id) ? 'hub' : null),
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/backend': devServer, '/public-api': devServer },
  },
  test: {
    restoreMocks: true,
    // Files share their worker's modules and window; `renderApp` gives each page fresh modules.
    isolate: false,
    // A test takes about a second; one that hangs ends after 30 s.
    expect: { poll: { timeout: 25_000 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // More than cores: a test waits for half of its time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'app',
          environment: './tests/support/app-environment.ts',
          include: ['tests/app/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/support/setup.ts', 'tests/support/setup-app.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['tests/server/**/*.test.ts', 'tests/contract/**/*.test.ts'],
          setupFiles: ['tests/support/setup.ts'],
        },
      },
      {
        // Tests that take long by their nature: processes that are killed, sketches, speech.
        extends: true,
        test: {
          name: 'thorough',
          environment: 'node',
          include: ['tests/thorough/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 60_000 } },
          setupFiles: ['tests/support/setup.ts'],
        },
      },
    ],
  },
}));
