/**
 * The files in deploy/: every variable that they set is one of the server and is accepted, every image has a version, no secret
 * stands in them, and ports, probes and times fit together.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { type Env, readEnv } from '#server/app/env';
import { environmentVariables, secretVariables } from '#server/app/env-variables';

const folder = resolve(import.meta.dirname, '../../deploy');
const read = (file: string) => fs.readFileSync(join(folder, file), 'utf8');
const yamlFiles = fs.globSync('**/*.{yaml,yml}', { cwd: folder }).toSorted();

const isVariable = (name: string) =>
  name in environmentVariables ||
  (name.endsWith('_FILE') && secretVariables.has(name.slice(0, -'_FILE'.length)));

/** The files of secrets that the operator has made, in a folder that is removed. */
function makeSecrets(): string {
  const place = fs.mkdtempSync(join(tmpdir(), 'nori-deploy-'));
  onTestFinished(() => fs.rmSync(place, { recursive: true }));
  fs.copyFileSync(join(folder, 'make-secrets.sh'), join(place, 'make-secrets.sh'));
  const { status, stderr } = spawnSync('sh', [join(place, 'make-secrets.sh')], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const secrets = join(place, 'secrets');
  fs.writeFileSync(join(secrets, 'bot_token'), '123456789:a-token-of-a-bot-that-tests-use\n');
  return secrets;
}

test.each(yamlFiles)('%s is YAML', (file) => {
  for (const document of parseAllDocuments(read(file), { merge: true })) {
    expect(document.errors).toEqual([]);
    expect(document.warnings).toEqual([]);
  }
});

test('no file holds a secret', () => {
  const files = fs
    .globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    // What the operator has made here is not in the repository.
    .filter((path) => !path.startsWith(join(folder, 'secrets')));

  expect(files.length).toBeGreaterThan(15);
  for (const path of files) {
    const text = fs.readFileSync(path, 'utf8');
    // A token of a bot, an address with a password, or a long random text.
    expect(text).not.toMatch(/\d{6,}:[\w-]{20,}|:\/\/[\w-]+:[^$@\s]+@|\b[\da-f]{32,}\b/);
    for (const name of secretVariables) {
      // An address without a password is none.
      expect(text).not.toMatch(
        new RegExp(`\\b${name}[=:] *(?!nats://[\\w.-]+:\\d+$)[^\\s,\\]#]`, 'm'),
      );
    }
  }
});

const service = v.looseObject({
  image: v.string(),
  environment: v.optional(v.record(v.string(), v.string()), {}),
  secrets: v.optional(v.array(v.string()), []),
  networks: v.optional(v.unknown()),
  restart: v.string(),
  profiles: v.optional(v.array(v.string()), []),
  deploy: v.optional(v.object({ replicas: v.number() }), { replicas: 1 }),
  read_only: v.optional(v.boolean(), false),
  tmpfs: v.optional(v.array(v.string()), []),
  stop_grace_period: v.optional(v.string(), '10s'),
  healthcheck: v.optional(
    v.looseObject({
      test: v.optional(v.array(v.string()), []),
      disable: v.optional(v.boolean(), false),
    }),
  ),
  volumes: v.optional(v.array(v.string()), []),
  depends_on: v.optional(v.record(v.string(), v.object({ condition: v.string() })), {}),
});

const composeFile = v.looseObject({
  services: v.record(v.string(), service),
  secrets: v.record(v.string(), v.object({ file: v.string() })),
  networks: v.record(v.string(), v.looseObject({ internal: v.optional(v.boolean(), false) })),
});

const compose = v.parse(composeFile, parse(read('compose.yaml'), { merge: true }));
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image.startsWith('nori:'));

/** As compose fills it in. */
const fill = (text: string) =>
  text.replaceAll(/\$\{DOMAIN(?::\?[^}]*)?\}/g, 'nori.example.org').replaceAll('$$', '$');

function readServiceEnv(environment: Readonly<Record<string, string>>, secrets: string): Env {
  return readEnv({
    NORI_DATA_DIR: '/data',
    ...Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        fill(value).replace('/run/secrets', secrets),
      ]),
    ),
  });
}

describe('compose.yaml', () => {
  test('runs two processes of each role, which share everything else', () => {
    const secrets = makeSecrets();
    const counts = { web: 0, bot: 0, worker: 0 };
    for (const [name, { environment, deploy }] of ours) {
      expect(Object.keys(environment).filter((variable) => !isVariable(variable))).toEqual([]);
      const env = readServiceEnv(environment, secrets);
      expect(env).toMatchObject({
        publicUrl: 'https://nori.example.org',
        botMode: 'webhook',
        s3: { bucket: 'nori', publicEndpoint: 'https://pictures.nori.example.org' },
        metricsPort: 9464,
        trustedProxies: expect.objectContaining({ max: expect.any(Number) }),
      });
      expect(env.secretKeys[0]).toHaveLength(96);
      expect(env.databaseUrl).toMatch(/^postgres:\/\/nori:[\da-f]{48}@postgres:5432\/nori$/);
      expect([...env.roles]).toHaveLength(1);
      if (name !== 'migrate') {
        for (const role of env.roles) {
          counts[role] += deploy.replicas;
        }
      }
    }
    expect(counts).toEqual({ web: 2, bot: 2, worker: 2 });
  });

  test('the secrets that the script makes are those that services use, and are made once', () => {
    const secrets = makeSecrets();
    const made = fs.readdirSync(secrets).toSorted();
    const before = made.map((name) => fs.readFileSync(join(secrets, name), 'utf8'));
    const used = new Set(services.flatMap(([, given]) => given.secrets));

    expect(Object.keys(compose.secrets).toSorted()).toEqual(made);
    expect([...used].toSorted()).toEqual(made);
    expect(
      Object.values(compose.secrets)
        .map(({ file }) => file)
        .toSorted(),
    ).toEqual(made.map((name) => `./secrets/${name}`));
    expect(new Set(before).size).toBe(made.length);
    spawnSync('sh', [join(secrets, '../make-secrets.sh')]);
    expect(made.map((name) => fs.readFileSync(join(secrets, name), 'utf8'))).toEqual(before);
    // The store knows the key that the processes have.
    const { identities } = v.parse(
      v.object({
        identities: v.tuple([
          v.object({
            credentials: v.tuple([v.object({ accessKey: v.string(), secretKey: v.string() })]),
          }),
        ]),
      }),
      JSON.parse(fs.readFileSync(join(secrets, 's3_config'), 'utf8')),
    );
    const [{ accessKey, secretKey }] = identities[0].credentials;
    const env = readServiceEnv(compose.services['web-1']?.environment ?? {}, secrets);
    expect(env.s3).toMatchObject({ accessKeyId: accessKey, secretAccessKey: secretKey });
  });

  test('a service has every secret whose file it names', () => {
    for (const [, { environment, secrets }] of services) {
      const named = Object.values(environment).flatMap(
        (value) => /^\/run\/secrets\/(\w+)$/.exec(value)?.[1] ?? [],
      );
      expect(secrets).toEqual(expect.arrayContaining(named));
    }
  });

  test('our processes cannot write but to memory, and get longer to stop than they drain', () => {
    const secrets = makeSecrets();
    for (const [, given] of ours) {
      const { drainMs } = readServiceEnv(given.environment, secrets);
      expect(given.read_only).toBe(true);
      expect(given.tmpfs.map((place) => place.split(':')[0] ?? '').toSorted()).toEqual([
        '/data',
        '/tmp',
      ]);
      expect(Number.parseInt(given.stop_grace_period) * 1000).toBeGreaterThanOrEqual(
        drainMs + 30_000,
      );
    }
  });

  test('every service that stays is restarted and watched, and nothing starts before what it needs', () => {
    for (const [name, { restart, healthcheck, depends_on: needs }] of services) {
      const stays = restart === 'unless-stopped';
      expect([name, stays]).toEqual([name, !['migrate', 's3-set-up'].includes(name)]);
      expect([name, (healthcheck?.test.length ?? 0) > 0]).toEqual([name, stays]);
      for (const [needed, { condition }] of Object.entries(needs)) {
        const isJob = ['migrate', 's3-set-up'].includes(needed);
        expect(condition).toBe(isJob ? 'service_completed_successfully' : 'service_healthy');
        expect(compose.services[needed]).toBeDefined();
      }
    }
    expect(Object.keys(compose.services['web-2']?.depends_on ?? {})).toEqual([
      'postgres',
      'nats',
      's3-set-up',
      'migrate',
    ]);
  });

  test('databases have no way out, and only Caddy can be reached from outside', () => {
    expect(compose.networks['inside']?.internal).toBe(true);
    for (const name of ['postgres', 'nats', 's3', 'prometheus']) {
      expect(compose.services[name]?.networks).toEqual(['inside']);
    }
    const published = services.filter(([, given]) => 'ports' in given).map(([name]) => name);
    expect(published).toEqual(['caddy', 'grafana']);
    expect(compose.services['grafana']?.['ports']).toEqual(['127.0.0.1:3000:3000']);
  });

  test('files that services read exist', () => {
    const mounted = services.flatMap(([, { volumes }]) =>
      volumes.flatMap((volume) => /^(\.\/[^:]+):/.exec(volume)?.[1] ?? []),
    );
    expect(mounted.length).toBeGreaterThan(4);
    expect(mounted.filter((file) => !fs.existsSync(join(folder, file)))).toEqual([]);
  });

  test('Caddy sends requests to the web processes that are ready, and is the proxy that they believe', () => {
    const caddyfile = read('Caddyfile');
    const upstreams = /reverse_proxy ((?:web-\d:\d+ ?)+)\{/.exec(caddyfile)?.[1]?.trim().split(' ');
    const web = ours.filter(([, { environment }]) => environment['NORI_ROLE'] === 'web');

    expect(upstreams).toEqual(web.map(([name]) => `${name}:8080`));
    expect(caddyfile).toContain('health_uri /readyz');
    expect(caddyfile).toContain('flush_interval -1');
    const place = v.parse(
      v.looseObject({ outside: v.object({ ipv4_address: v.string() }) }),
      compose.services['caddy']?.networks,
    );
    for (const [, { environment }] of web) {
      expect(environment['TRUST_PROXY']).toBe(place.outside.ipv4_address);
      expect(`http://${/reverse_proxy (s3:\d+)/.exec(caddyfile)?.[1]}`).toBe(
        environment['S3_ENDPOINT'],
      );
    }
  });

  test('Prometheus reads every process, by the name that the alarms know', () => {
    const config: unknown = parse(read('prometheus/prometheus.yml'));
    expect(config).toMatchObject({
      scrape_configs: [
        {
          job_name: 'nori',
          dns_sd_configs: [
            {
              names: ours.map(([name]) => name).filter((name) => name !== 'migrate'),
              port: 9464,
            },
          ],
        },
      ],
    });
    expect(read('prometheus/alerts.yml')).toContain('up{job="nori"}');
  });
});

test('every image has a version', () => {
  const images = yamlFiles.flatMap((file) =>
    [...read(file).matchAll(/^\s*image: (\S+)$/gm)].map(([, image = '']) => image),
  );
  expect(images.length).toBeGreaterThan(8);
  // In the cluster the overlay says which one.
  expect(images.filter((image) => image !== 'nori' && !/:v?\d+\.\d+[\w.-]*$/.test(image))).toEqual(
    [],
  );
  expect(images).not.toContain('latest');
  const { version } = v.parse(
    v.looseObject({ version: v.string() }),
    JSON.parse(fs.readFileSync(join(folder, '../package.json'), 'utf8')),
  );
  expect(new Set(ours.map(([, { image }]) => image))).toEqual(new Set([`nori:${version}`]));
});
