#!/usr/bin/env node
/** `nori <command>`: runs a command of the operator in the Node that runs the server, with the variables of `.env`. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { findServerNode, requireSetupNode } from './lib/node-version.mjs';
import { loadEnvFile, root, toolEnv } from './lib/run.mjs';
import { giveUp, Stop } from './lib/say.mjs';

try {
  requireSetupNode();
  // Folders in the environment belong to the project, those in the command to where it was typed.
  const typedIn = process.env.INIT_CWD ?? process.cwd();
  process.chdir(root);
  loadEnvFile();
  if (!fs.existsSync(path.join(root, 'node_modules'))) {
    throw new Stop('the packages are not installed yet: npm start installs them.');
  }
  const node = await findServerNode();
  const child = spawn(node, [path.join(root, 'server', 'cli.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, ...toolEnv(), INIT_CWD: typedIn },
  });
  // A terminal sends Ctrl+C to both; the exit code is the command's.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', giveUp);
  child.on('exit', (code) => process.exit(code ?? 1));
} catch (failure) {
  giveUp(failure);
}
