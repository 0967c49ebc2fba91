/** Each import rule of `.oxlintrc.json` refuses a planted violation, and accepts a legal import. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** File, the planted import, and words of the message that refuses it. */
const violations = [
  ['contract/endpoints/planted.ts', 'react', 'contract/ knows no client'],
  ['contract/endpoints/planted.ts', '#server/lib/log', 'contract/ knows no client'],
  ['contract/endpoints/planted.ts', 'node:fs', 'contract/ knows no client'],
  ['src/lib/planted.ts', '#ui/button', 'lib/ uses contract/ and itself'],
  ['src/lib/planted.ts', '#features/chats', 'lib/ uses contract/ and itself'],
  ['src/lib/planted.ts', '#services/chats', 'lib/ uses contract/ and itself'],
  ['src/lib/planted.ts', '../ui/button.tsx', 'lib/ uses contract/ and itself'],
  ['src/lib/planted.ts', '@telegram-apps/sdk-react', 'speaks to Telegram'],
  ['src/ui/planted.ts', '#lib/api', 'ui/ uses nothing but itself'],
  ['src/ui/planted.ts', '#contract/endpoints/chats', 'ui/ uses nothing but itself'],
  ['src/features/chats/planted.ts', '#features/images', 'A feature uses contract'],
  ['src/features/chats/planted.ts', '../images/index.ts', 'A feature uses contract'],
  ['src/features/chats/planted.ts', '@telegram-apps/telegram-ui', 'Only ui/ draws'],
  ['src/features/chats/settings/planted.ts', '../../images/index.ts', 'A feature uses contract'],
  ['src/features/images/pixai/models/planted.ts', '../../../chats/index.ts', 'A feature uses'],
  ['src/app/planted.ts', '#server/lib/log', 'never reaches into the server'],
  ['src/app/shell/planted.ts', '../../features/chats/queries.ts', 'never reaches into the server'],
  ['server/planted.ts', '#features/chats', 'The server knows nothing of the client'],
  ['server/app/planted.ts', '#server/services/chats/chats', "Use the module's door"],
  ['server/lib/planted.ts', '#server/db/client', 'server/lib is the lowest layer'],
  ['server/lib/planted.ts', '../db/client.ts', 'Reach other folders'],
  ['server/db/planted.ts', '#server/upstream/telegram/telegram', 'server/db stores'],
  ['server/db/planted.ts', '#services/chats', 'server/db stores'],
  ['server/upstream/images/planted.ts', '#server/db/client', 'server/upstream speaks'],
  ['server/upstream/images/planted.ts', '#services/images', 'server/upstream speaks'],
  ['server/services/chats/planted.ts', '#server/routes/chats', 'Services hold the rules'],
  ['server/services/chats/planted.ts', '#server/bot/bot', 'Services hold the rules'],
  ['server/services/chats/planted.ts', '#server/app/app', 'Services hold the rules'],
  ['server/services/chats/planted.ts', '#server/services/images/pictures', "the module's door"],
  ['server/http/planted.ts', '#services/chats', 'server/http knows HTTP'],
  ['server/routes/planted.ts', '#server/db/client', 'Routes ask services'],
  ['server/routes/planted.ts', '#server/upstream/telegram/telegram', 'Routes ask services'],
  ['server/routes/planted.ts', '#server/bot/bot', 'Routes ask services'],
  ['server/bot/planted.ts', '#server/routes/chats', 'The bot asks services'],
  ['server/bot/planted.ts', '#server/services/chats/chats', "Use the module's door"],
  ['tests/app/planted.test.ts', '../../src/app/app.tsx', 'Drive the app by URL'],
  ['tests/app/planted.test.ts', '#features/chats', 'Drive the app by URL'],
] as const;

const legal = [
  ['src/features/chats/allowed.ts', '#lib/api'],
  ['src/app/allowed.ts', '#features/chats'],
  ['server/services/chats/allowed.ts', '#server/db/client'],
  ['server/services/chats/allowed.ts', '#server/app/dependencies'],
  ['server/services/chats/allowed.ts', '#services/images'],
  ['server/routes/allowed.ts', '#services/chats'],
  ['server/bot/allowed.ts', '#server/upstream/telegram/telegram'],
  ['server/upstream/images/allowed.ts', '#server/lib/errors'],
] as const;

type Finding = { readonly filename: string; readonly message: string; readonly help: string };

let folder = '';
let findings: readonly Finding[] = [];

const place = (file: string, index: number) => file.replace(/(\.test)?\.ts$/, `-${index}$1.ts`);

beforeAll(() => {
  folder = fs.mkdtempSync(join(os.tmpdir(), 'nori-lint-'));
  for (const name of ['.oxlintrc.json', 'package.json']) {
    fs.copyFileSync(join(root, name), join(folder, name));
  }
  for (const [index, [file, specifier]] of [...violations, ...legal].entries()) {
    const path = join(folder, place(file, index));
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, `export * from '${specifier}';\n`);
  }
  findings = lint(folder);
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Oxlint ends with 1 when it finds something, and prints the same list. */
function lint(cwd: string): readonly Finding[] {
  try {
    execFileSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json'], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return [];
  } catch (failure) {
    const output = failure instanceof Error && 'stdout' in failure ? String(failure.stdout) : '';
    return JSON.parse(output).diagnostics;
  }
}

/** Lint's messages about the imports of a file. */
const refusalsFor = (file: string) =>
  findings
    .filter(({ filename, message }) => filename.endsWith(file) && message.includes('restricted'))
    .map(({ help }) => help);

test.each([...violations.entries()])('violation %i is refused: %s', (index, [file, , reason]) => {
  expect(refusalsFor(place(file, index)).join('\n')).toContain(reason);
});

test.each([...legal.entries()])('legal import %i is accepted: %s', (index, [file]) => {
  expect(refusalsFor(place(file, violations.length + index))).toEqual([]);
});
