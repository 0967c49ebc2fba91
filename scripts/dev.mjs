/** `npm run dev`: Vite with hot reload, and the server restarting on every change. */
import { spawn } from 'node:child_process';
import process from 'node:process';

import { ensureInstalled } from './lib/install.mjs';
import { findServerNode, requireSetupNode } from './lib/node-version.mjs';
import { loadEnvFile, root, toolEnv } from './lib/run.mjs';
import { giveUp, say } from './lib/say.mjs';

try {
  requireSetupNode();
  process.chdir(root);
  loadEnvFile();
  await ensureInstalled();
  const node = await findServerNode();
  say('starting the server and Vite; Ctrl+C ends both.');
  const children = [
    spawn(node, ['--watch', 'server/main.ts'], options()),
    spawn(node, ['node_modules/vite/bin/vite.js'], options()),
  ];
  for (const child of children) {
    child.on('exit', (code) => {
      // If one of the two ends, the other is stopped.
      for (const other of children) {
        other.kill();
      }
      process.exitCode ||= code ?? 0;
    });
  }
} catch (failure) {
  giveUp(failure);
}

/** @returns {import('node:child_process').SpawnOptions} */
function options() {
  // Vite shows one language at a time.
  const [language = ''] = (process.env['NORI_LANGUAGES'] ?? '').split(',');
  const env = { ...process.env, NORI_LANGUAGE: language.trim(), ...toolEnv() };
  return { cwd: root, stdio: 'inherit', env };
}
