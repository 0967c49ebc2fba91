/** All text modules by their files, for the bundler's runner: outside of it there is no `import.meta.glob`. */
export const textModules = import.meta.glob<Readonly<Record<string, unknown>>>(
  ['/{src,server,contract}/**/texts.ts', '/{src,server,contract}/**/*-texts.ts'],
  { eager: true },
);
