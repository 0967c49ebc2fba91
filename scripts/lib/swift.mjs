/**
 * An S3 service for tests: OpenStack Swift as Debian packages it (proxy with s3api, account, container and object server,
 * memcached), as child processes on free ports of this machine with one folder as the only disk.
 */
import { AwsClient } from 'aws4fetch';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { findMissingProgram, swiftPackages } from './test-services.mjs';

const run = promisify(execFile);

/** Node has no call for extended attributes. */
const systemPython = '/usr/bin/python3';

const keys = { accessKeyId: 'nori:tests', secretAccessKey: 'secret-of-the-tests' };
const region = 'us-east-1';
const bucket = 'nori-tests';
const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;

/**
 * @typedef {object} Swift
 * @property {string} endpoint
 * @property {string} accessKeyId
 * @property {string} secretAccessKey
 * @property {string} region
 * @property {string} bucket It exists and is empty.
 * @property {() => Promise<void>} pause Ends the program that answers: calls are refused until `resume`.
 * @property {() => Promise<void>} resume
 * @property {() => Promise<void>} stop
 */

/**
 * @returns {Promise<Swift | undefined>} Undefined, with a line that says why, when Swift cannot run here.
 */
export async function startSwift() {
  const missing = findMissingProgram();
  const folder = missing === undefined ? await makeFolder() : undefined;
  if (folder === undefined) {
    const reason =
      missing === undefined
        ? 'no folder for temporary files stores extended attributes'
        : `${missing} is missing (Debian: apt-get install ${swiftPackages.join(' ')})`;
    process.stderr.write(`OpenStack Swift was skipped: ${reason}. Or set TEST_S3_ENDPOINT.\n`);
    return undefined;
  }
  const ports = await findFreePorts(5);
  const removeFolder = () => fs.rmSync(folder, { recursive: true, force: true });
  const processes = createProcesses(removeFolder);
  const stop = async () => {
    await processes.stopAll();
    removeFolder();
  };
  try {
    await prepare(folder, ports);
    return await startAll(folder, ports, { processes, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @typedef {readonly [memcached: number, account: number, container: number, object: number, proxy: number]} Ports */

/**
 * @param {string} folder
 * @param {readonly number[]} ports
 * @param {{ processes: ReturnType<typeof createProcesses>, stop: () => Promise<void> }} tools
 * @returns {Promise<Swift>}
 */
async function startAll(folder, ports, { processes, stop }) {
  const [memcached = 0, account = 0, container = 0, object = 0, proxy = 0] = ports;
  const user = os.userInfo().username;
  processes.start('memcached', [
    '-l',
    '127.0.0.1',
    '-p',
    String(memcached),
    '-m',
    '16',
    '-u',
    user,
  ]);
  for (const kind of ['account', 'container', 'object']) {
    processes.start(`swift-${kind}-server`, [path.join(folder, `${kind}.conf`)]);
  }
  const startProxy = () => processes.start('swift-proxy-server', [path.join(folder, 'proxy.conf')]);
  let answering = startProxy();

  const endpoint = `http://127.0.0.1:${proxy}`;
  await Promise.all([memcached, account, container, object].map(untilItListens));
  const client = new AwsClient({ ...keys, region, service: 's3', retries: 0 });
  const isThere = async () => {
    const made = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
    // 409 after a pause: the bucket is there.
    return made.ok || made.status === 409;
  };
  await untilTrue(isThere);
  return {
    endpoint,
    ...keys,
    region,
    bucket,
    pause: () => processes.stop(answering),
    resume: async () => {
      answering = startProxy();
      await untilTrue(isThere);
    },
    stop,
  };
}

/** Swift writes what it knows of an object into extended attributes, which not every temporary folder has. */
async function makeFolder() {
  for (const parent of [os.tmpdir(), '/var/tmp', process.cwd()]) {
    const folder = fs.mkdtempSync(path.join(parent, 'nori-swift-'));
    try {
      const code = 'import os,sys; os.setxattr(sys.argv[1], "user.swift", b"x" * 1024)';
      await run(systemPython, ['-c', code, folder]);
      return folder;
    } catch {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  return undefined;
}

/**
 * Writes the settings, and the rings, which say on which disk each object is: here there is one.
 * @param {string} folder
 * @param {readonly number[]} ports
 */
async function prepare(folder, ports) {
  const [memcached = 0, account = 0, container = 0, object = 0, proxy = 0] = ports;
  fs.mkdirSync(path.join(folder, 'disks', 'd1'), { recursive: true });
  write(folder, 'swift.conf', [
    '[swift-hash]',
    'swift_hash_path_suffix = tests',
    'swift_hash_path_prefix = tests',
    '[storage-policy:0]',
    'name = Policy-0',
    'default = yes',
  ]);
  write(folder, 'proxy.conf', [
    ...serverSettings(folder, proxy),
    '[pipeline:main]',
    'pipeline = catch_errors cache s3api tempauth proxy-server',
    '[app:proxy-server]',
    'use = egg:swift#proxy',
    'account_autocreate = true',
    '[filter:catch_errors]',
    'use = egg:swift#catch_errors',
    '[filter:cache]',
    'use = egg:swift#memcache',
    `memcache_servers = 127.0.0.1:${memcached}`,
    '[filter:s3api]',
    'use = egg:swift#s3api',
    `location = ${region}`,
    '[filter:tempauth]',
    'use = egg:swift#tempauth',
    `user_${keys.accessKeyId.replace(':', '_')} = ${keys.secretAccessKey} .admin`,
  ]);
  await Promise.all(
    [
      { kind: 'account', port: account },
      { kind: 'container', port: container },
      { kind: 'object', port: object },
    ].map(async ({ kind, port }) => {
      write(folder, `${kind}.conf`, [
        ...serverSettings(folder, port),
        '[pipeline:main]',
        `pipeline = ${kind}-server`,
        `[app:${kind}-server]`,
        `use = egg:swift#${kind}`,
      ]);
      await buildRing(folder, kind, port);
    }),
  );
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {readonly string[]} lines
 */
function write(folder, name, lines) {
  fs.writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
}

/**
 * @param {string} folder
 * @param {number} port
 */
function serverSettings(folder, port) {
  return [
    '[DEFAULT]',
    'bind_ip = 127.0.0.1',
    `bind_port = ${port}`,
    `user = ${os.userInfo().username}`,
    `swift_dir = ${folder}`,
    `devices = ${path.join(folder, 'disks')}`,
    'mount_check = false',
    // One process each, and no call of the disk that tests would wait for.
    'workers = 0',
    'fallocate_reserve = 0',
    'log_level = ERROR',
  ];
}

/**
 * @param {string} folder
 * @param {string} kind
 * @param {number} port
 */
async function buildRing(folder, kind, port) {
  const builder = path.join(folder, `${kind}.builder`);
  await run('swift-ring-builder', [builder, 'create', '4', '1', '0']);
  await run('swift-ring-builder', [builder, 'add', `r1z1-127.0.0.1:${port}/d1`, '1']);
  await run('swift-ring-builder', [builder, 'rebalance']);
}

/** Child processes that end with this one. @param {() => void} cleanUp Called then. */
function createProcesses(cleanUp) {
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const running = new Set();
  // A run that is cut short must leave nothing behind.
  const killAll = () => {
    running.forEach((child) => child.kill('SIGKILL'));
    cleanUp();
  };
  process.once('exit', killAll);

  /** @param {import('node:child_process').ChildProcess} child */
  async function stop(child) {
    if (running.has(child)) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      await ended;
      clearTimeout(timer);
    }
  }

  return {
    /**
     * @param {string} command
     * @param {readonly string[]} args
     */
    start(command, args) {
      const child = spawn(command, args, { stdio: 'ignore' });
      running.add(child);
      child.once('exit', () => running.delete(child));
      child.once('error', () => running.delete(child));
      return child;
    },
    stop,
    stopAll: async () => {
      process.off('exit', killAll);
      await Promise.all([...running].map(stop));
    },
  };
}

/** All are free at the same moment, so that they differ. @param {number} count */
async function findFreePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = net.createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      server.close();
      await once(server, 'close');
      return typeof address === 'object' && address !== null ? address.port : 0;
    }),
  );
}

/** @param {number} port */
function untilItListens(port) {
  return untilTrue(async () => {
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  });
}

/** @param {() => Promise<boolean>} check Failures count as no. */
async function untilTrue(check) {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    /** @type {unknown} */
    let reason = 'it did not answer';
    try {
      if (await check()) {
        return;
      }
    } catch (error) {
      reason = error;
    }
    if (Date.now() > deadline) {
      throw new Error('OpenStack Swift did not start.', { cause: reason });
    }
    await sleep(50);
  }
}
