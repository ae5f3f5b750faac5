/** The Helm chart, by Helm itself and by Kubernetes' own schemas. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dump, load, loadAll } from 'js-yaml';
import { afterAll, expect, test } from 'vitest';
import { settings } from '../../src/base/config.ts';
import { version } from '../../src/base/version.ts';
import { helmProgram, kubernetesValidate } from './places.ts';

const chart = fileURLToPath(new URL('../../../deploy/helm/culprit', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'culprit-helm-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Record<string, unknown>;
}

interface Ran {
  readonly status: number | null;
  readonly text: string;
}

function run(program: string, ...args: string[]): Ran {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw new Error(`${program} is missing: node scripts/provision.ts installs it`, { cause: error });
  return { status, text: `${stdout}${stderr}` };
}

const least = { url: 'https://culprit.example.com', existingSecret: 'stores' };

/** Values by what they are for. */
const combinations: Readonly<Record<string, object>> = {
  'nothing but what must be set': least,
  'everything that is optional': {
    ...least,
    pullSecrets: [{ name: 'registry' }],
    settings: { CULPRIT_RETENTION_DAYS: '30', CULPRIT_LOG_LEVEL: 'warn' },
    autoscaling: { intake: { enabled: true }, process: { enabled: true } },
    ingress: {
      enabled: true,
      host: 'culprit.example.com',
      className: 'nginx',
      tlsSecret: 'tls',
      annotations: { a: 'b' },
    },
    networkPolicy: {
      enabled: true,
      from: [{ namespaceSelector: {} }],
      egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
    },
    podMonitor: { enabled: true, tokenSecret: 'token', labels: { release: 'prometheus' } },
    serviceAccount: { annotations: { a: 'b' } },
    podAnnotations: { a: 'b' },
    nodeSelector: { a: 'b' },
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  },
  'lag by KEDA': {
    ...least,
    autoscaling: { process: { enabled: true, by: 'keda', prometheus: 'http://prometheus:9090' } },
    topologySpread: false,
  },
  'a role that runs elsewhere': {
    ...least,
    roles: { jobs: { enabled: false } },
    podDisruptionBudget: { enabled: false },
    networkPolicy: { enabled: true },
  },
};

function rendered(values: object): Ran {
  const file = join(dir, 'values.yaml');
  writeFileSync(file, dump(values));
  const linted = run(helmProgram, 'lint', '--strict', chart, '--values', file);
  if (linted.status !== 0) return linted;
  return run(helmProgram, 'template', 'shop', chart, '--kube-version', '1.34.0', '--values', file);
}

/** Kinds that others bring, of which Kubernetes has no schema. */
const foreign = new Set(['ScaledObject', 'PodMonitor']);

test.each(Object.entries(combinations))('%s', (_, values) => {
  const { status, text } = rendered(values);
  expect(status, text).toBe(0);
  const resources = (loadAll(text) as (Resource | null)[]).filter((one) => one !== null);
  const file = join(dir, 'resources.yaml');
  writeFileSync(
    file,
    resources
      .filter(({ kind }) => !foreign.has(kind))
      .map((one) => dump(one))
      .join('---\n'),
  );
  const checked = run(kubernetesValidate, '--strict', file);
  expect(checked, checked.text).toMatchObject({ status: 0 });

  const deployments = resources.filter(({ kind }) => kind === 'Deployment');
  expect(deployments.length).toBeGreaterThanOrEqual(3);
  for (const { spec } of deployments) {
    const pod = (spec.template as { spec: Record<string, unknown> }).spec;
    // What the Pod Security Standard "restricted" asks.
    expect(pod).toMatchObject({ securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } });
    expect(pod.containers).toEqual([
      expect.objectContaining({
        image: `culprit:${version}`,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        readinessProbe: expect.objectContaining({ httpGet: { path: '/readyz', port: 'http' } }),
        livenessProbe: expect.objectContaining({ httpGet: { path: '/healthz', port: 'http' } }),
      }),
    ]);
  }
});

test('paths lead to the role that serves them', () => {
  const { text } = rendered(combinations['everything that is optional'] ?? {});
  const ingress = (loadAll(text) as (Resource | null)[]).find((one) => one?.kind === 'Ingress');
  if (!ingress) throw new Error('no Ingress');
  const [{ http }] = ingress.spec.rules as [
    { http: { paths: { path: string; backend: { service: { name: string } } }[] } },
  ];
  const roleOf = (asked: string): string | undefined =>
    http.paths
      .filter(({ path }) => path === '/' || asked === path || asked.startsWith(`${path}/`))
      .sort((a, b) => b.path.length - a.path.length)[0]?.backend.service.name;
  for (const path of ['/api/7/envelope/', '/api/store/', '/api/7/otlp/v1/logs', '/v1/traces', '/monitoring'])
    expect(roleOf(path), path).toBe('shop-intake');
  for (const path of ['/', '/api/0/health', '/api/auth/session', '/scim/v2/Users', '/issues'])
    expect(roleOf(path), path).toBe('shop-api');
});

test('what is missing or unknown is refused, with what to do', () => {
  expect(rendered({ existingSecret: 'stores' }).text).toContain('url: set the public address');
  expect(rendered({ url: least.url }).text).toContain('existingSecret: name the Secret');
  expect(rendered({ ...least, ingres: {} })).toMatchObject({ status: 1 });
  expect(rendered({ ...least, settings: { RETENTION: '3' } })).toMatchObject({ status: 1 });
});

test('it starts this version, with settings and a metric that there are', () => {
  expect(load(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
  const read = (...path: string[]): string => readFileSync(join(chart, ...path), 'utf8');
  const text = [
    read('values.yaml'),
    read('README.md'),
    read('templates/configmap.yaml'),
    read('templates/deployments.yaml'),
  ].join('\n');
  const known: readonly string[] = Object.values(settings).map(({ env }) => env);
  expect(known).toEqual(expect.arrayContaining([...new Set(text.match(/\bCULPRIT_[A-Z_]+/g))]));
  const guide = readFileSync(new URL('../../../docs/guides/monitor-culprit.md', import.meta.url), 'utf8');
  expect(guide).toContain(/\bculprit_\w*lag\w*/.exec(read('templates/autoscaling.yaml'))?.[0]);
});
