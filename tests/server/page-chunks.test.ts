/** The size budget counts the files that a page loads. */
import { expect, test } from 'vitest';

import { chunksBeforePaint, chunksOfPage, readManifest } from '#scripts/chunks.ts';

const manifest = readManifest(
  JSON.stringify({
    'index.html': {
      file: 'assets/main.js',
      isEntry: true,
      imports: ['_react.js'],
      dynamicImports: [
        'src/features/home/home-screen.tsx',
        'src/features/account/login-screen.tsx',
        'src/lib/http.ts',
        'src/lib/telegram.ts',
      ],
    },
    '_react.js': { file: 'assets/react.js' },
    '_form.js': { file: 'assets/form.js', imports: ['_react.js'] },
    'src/features/home/home-screen.tsx': { file: 'assets/home.js' },
    'src/features/account/login-screen.tsx': { file: 'assets/login.js', imports: ['_form.js'] },
    'src/lib/http.ts': { file: 'assets/http.js', imports: ['_axios.js'] },
    '_axios.js': { file: 'assets/axios.js' },
    'src/lib/telegram.ts': { file: 'assets/telegram.js' },
  }),
);
const login = /\/login-screen\.tsx$/;

test('before paint: the entry and the screen, with all of their imports', () => {
  expect([...chunksBeforePaint(manifest, login)].toSorted()).toEqual([
    '_form.js',
    '_react.js',
    'index.html',
    'src/features/account/login-screen.tsx',
  ]);
});

test('the page: also what loads later, but neither other screens nor Telegram', () => {
  const page = chunksOfPage(manifest, login, false);

  expect(page).toContain('_axios.js');
  expect(page).not.toContain('src/features/home/home-screen.tsx');
  expect(page).not.toContain('src/lib/telegram.ts');
});

test('inside Telegram: the part for Telegram, too', () => {
  expect(chunksOfPage(manifest, login, true)).toContain('src/lib/telegram.ts');
});

test('a file that is no manifest is refused', () => {
  expect(() => readManifest('{"index.html": {}}')).toThrow(/file/);
});
