/** deploy/kubernetes: what the processes are given is accepted, and probes, times and rights fit to the server. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { type Env, readEnv } from '#server/app/env';
import { environmentVariables, secretVariables } from '#server/app/env-variables';

const folder = resolve(import.meta.dirname, '../../deploy');
const read = (file: string) => fs.readFileSync(join(folder, file), 'utf8');

const isVariable = (name: string) =>
  name in environmentVariables ||
  (name.endsWith('_FILE') && secretVariables.has(name.slice(0, -'_FILE'.length)));

const kubernetesFile = v.looseObject({
  kind: v.string(),
  metadata: v.optional(v.looseObject({ name: v.string() })),
});

const probe = v.object({ httpGet: v.object({ path: v.string(), port: v.string() }) });
const podSpec = v.looseObject({
  terminationGracePeriodSeconds: v.optional(v.number()),
  securityContext: v.looseObject({ runAsNonRoot: v.boolean(), runAsUser: v.number() }),
  containers: v.tuple([
    v.looseObject({
      env: v.array(v.object({ name: v.string(), value: v.string() })),
      ports: v.optional(v.array(v.object({ name: v.string(), containerPort: v.number() })), []),
      livenessProbe: v.optional(v.looseObject(probe.entries)),
      readinessProbe: v.optional(v.looseObject(probe.entries)),
      securityContext: v.object({
        allowPrivilegeEscalation: v.boolean(),
        readOnlyRootFilesystem: v.boolean(),
        capabilities: v.object({ drop: v.array(v.string()) }),
      }),
      volumeMounts: v.array(v.looseObject({ mountPath: v.string() })),
    }),
  ]),
});
const workload = v.looseObject({
  spec: v.looseObject({ template: v.looseObject({ spec: podSpec }) }),
});

const generator = v.object({ name: v.string(), literals: v.array(v.string()) });
const kustomization = v.parse(
  v.looseObject({
    resources: v.array(v.string()),
    configMapGenerator: v.tuple([generator]),
    secretGenerator: v.tuple([generator]),
  }),
  parse(read('kubernetes/kustomization.yaml')),
);

const documents = kustomization.resources.flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((document) =>
    v.parse(kubernetesFile, document.toJS()),
  ),
);
const pods = documents
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map((document) => ({
    name: document.metadata?.name ?? '',
    kind: document.kind,
    pod: v.parse(workload, document).spec.template.spec,
  }));

const readLiterals = (literals: readonly string[]) =>
  Object.fromEntries(
    literals.map((literal) => [
      literal.split('=')[0] ?? '',
      literal.slice(literal.indexOf('=') + 1),
    ]),
  );

const settings = readLiterals(kustomization.configMapGenerator[0].literals);
const secretNames = Object.keys(readLiterals(kustomization.secretGenerator[0].literals));

function readPodEnv(role: string): Env {
  const place = fs.mkdtempSync(join(tmpdir(), 'nori-kubernetes-'));
  onTestFinished(() => fs.rmSync(place, { recursive: true }));
  const values: Readonly<Record<string, string>> = {
    BOT_TOKEN: '123456789:a-token-of-a-bot-that-tests-use',
    DATABASE_URL: 'postgres://nori@postgres.example.org/nori',
  };
  for (const name of secretNames) {
    fs.writeFileSync(join(place, name), values[name] ?? 'a-key-of-tests-with-32-characters');
  }
  return readEnv({
    NORI_ROLE: role,
    NORI_DATA_DIR: '/data',
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        name,
        value.replace('/run/secrets/nori', place),
      ]),
    ),
  });
}

test('every variable is one of the server, and each role starts with what it is given', () => {
  expect(Object.keys(settings).filter((name) => !isVariable(name))).toEqual([]);
  expect(secretNames.filter((name) => !secretVariables.has(name))).toEqual([]);
  expect(
    Object.keys(settings)
      .filter((name) => name.endsWith('_FILE'))
      .toSorted(),
  ).toEqual(secretNames.map((name) => `${name}_FILE`).toSorted());
  const roles = pods.map(({ pod }) => pod.containers[0].env);
  expect(roles.flat().filter(({ name }) => !isVariable(name))).toEqual([]);
  expect(roles.flat().map(({ value }) => value)).toEqual(['web', 'bot', 'worker', 'worker']);
  for (const { value } of roles.flat()) {
    expect([...readPodEnv(value).roles]).toEqual([value]);
  }
});

test('probes are those that the server answers, on the ports that it listens to', () => {
  const deployments = pods.filter(({ kind }) => kind === 'Deployment');
  expect(deployments.map(({ name }) => name)).toEqual(['nori-web', 'nori-bot', 'nori-worker']);
  const { metricsPort, drainMs } = readPodEnv('web');
  for (const { pod } of deployments) {
    const [container] = pod.containers;
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'http' });
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(container.ports).toEqual([
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: metricsPort },
    ]);
    expect((pod.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThanOrEqual(
      drainMs + 30_000,
    );
  }
});

test('no process is root, gets more rights, or can write but to its own folders', () => {
  for (const { pod } of pods) {
    const [container] = pod.containers;
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10_001,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.volumeMounts.map(({ mountPath }) => mountPath).toSorted()).toEqual([
      '/data',
      '/run/secrets/nori',
      '/tmp',
    ]);
  }
});

test('every role outlives the loss of a node', () => {
  const budgets = documents.filter(({ kind }) => kind === 'PodDisruptionBudget');
  expect(budgets.map(({ metadata }) => metadata?.name)).toEqual([
    'nori-web',
    'nori-bot',
    'nori-worker',
  ]);
  expect(documents.find(({ kind }) => kind === 'HorizontalPodAutoscaler')).toMatchObject({
    spec: { scaleTargetRef: { name: 'nori-web' }, minReplicas: 2 },
  });
  expect(
    documents.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec),
  ).toMatchObject([{}, { replicas: 2 }, { replicas: 2 }]);
});

test.skipIf(spawnSync('kubectl', ['version', '--client']).status !== 0)(
  'kustomize puts it together, also with the component for monitoring',
  () => {
    const place = fs.mkdtempSync(join(folder, '.overlay-'));
    onTestFinished(() => fs.rmSync(place, { recursive: true }));
    fs.writeFileSync(
      join(place, 'kustomization.yaml'),
      'resources: [../kubernetes]\ncomponents: [../kubernetes/monitoring]\n' +
        'configMapGenerator: [{ name: nori, namespace: nori, behavior: merge, literals: [PUBLIC_URL=https://other.example.org] }]\n',
    );
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', place], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('PUBLIC_URL: https://other.example.org');
    expect(stdout).toContain('kind: PodMonitor');
    expect(stdout).toContain('image: nori:0.1.0');
  },
);
