/** What monitors Culprit, by the programs that read it: Prometheus scrapes a real server, with our rules and questions. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metrics } from '../src/base/texts/metrics.ts';
import { commandLines, guideText } from './guides.ts';
import { culprit, envelopeUrl, errorEnvelope, freePort, newEventId, owner, Server } from './harness.ts';
import { prometheusProgram } from './monitoring/places.ts';

const folder = fileURLToPath(new URL('../../deploy/monitoring/', import.meta.url));

let server: Server;
let dir: string;
let prometheus: ChildProcess | undefined;
let url: string;

const program = (name: 'prometheus' | 'promtool'): string => {
  const path = prometheusProgram(name);
  if (path === undefined)
    throw new Error('Prometheus is not here: npm test installs it, or apt-get install prometheus');
  return path;
};

async function promtool(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program('promtool'), args, { cwd: folder });
  return stdout;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

async function panels(): Promise<readonly Panel[]> {
  const dashboard = JSON.parse(await readFile(join(folder, 'grafana-dashboard.json'), 'utf8')) as { panels: Panel[] };
  return dashboard.panels.filter(({ type }) => type !== 'row');
}

async function namesOfRules(): Promise<readonly (string | undefined)[]> {
  const file = await readFile(join(folder, 'culprit.rules.yml'), 'utf8');
  return Array.from(file.matchAll(/- alert: (\w+)/g), ([, name]) => name);
}

/** As Grafana asks it. */
const asked = (expr: string): string => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(url + path);
  const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
  expect([status, error]).toEqual(['success', undefined]);
  return data;
}

const query = (expr: string) =>
  ask<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
    `/api/v1/query?query=${encodeURIComponent(asked(expr))}`,
  );

beforeAll(async () => {
  server = await Server.create();
  for (let count = 0; count < 20; count++)
    await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId()) });
  const nobody = server.installed.dsn.replace(/\/\/\w+@/, `//${'0'.repeat(32)}@`);
  await fetch(envelopeUrl(nobody), { method: 'POST', body: errorEnvelope(newEventId()) });
  await server.drained();
  dir = await mkdtemp(join(tmpdir(), 'culprit-prometheus-'));
  await cp(folder, dir, { recursive: true });
  const config = (await readFile(join(folder, 'prometheus.yml'), 'utf8'))
    .replace('127.0.0.1:7420', new URL(server.url).host)
    .replaceAll('30s', '1s');
  await writeFile(join(dir, 'prometheus.yml'), config);
  await writeFile(join(dir, 'culprit-token'), server.installed.token);
  const address = `127.0.0.1:${await freePort()}`;
  url = `http://${address}`;
  const args = [
    `--config.file=${join(dir, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=${address}`,
  ];
  prometheus = spawn(program('prometheus'), args, { stdio: 'ignore' });
  await server.until('Prometheus has scraped it twice', async () => {
    const { result } = await query('count_over_time(culprit_log_records[1m]) >= 3');
    return result.length === 1;
  });
}, 120_000);

afterAll(async () => {
  if (prometheus?.exitCode === null) {
    prometheus.kill('SIGKILL');
    await once(prometheus, 'exit');
  }
  await server?.[Symbol.asyncDispose]();
  if (dir) await rm(dir, { recursive: true, force: true });
});

describe('rules', () => {
  test('are valid, and alert when they should', async () => {
    expect(await promtool('check', 'rules', 'culprit.rules.yml')).toContain('SUCCESS');
    expect(await promtool('test', 'rules', 'culprit.rules.test.yml')).toContain('SUCCESS');
  });

  test('are loaded, and silent about a server that is well', async () => {
    const loaded = await server.until('all were evaluated', async () => {
      const data = await ask<{ groups: { rules: { name: string; health: string; state: string }[] }[] }>(
        '/api/v1/rules',
      );
      const all = data.groups.flatMap((group) => group.rules);
      return all.every(({ health }) => health !== 'unknown') && all;
    });
    expect(loaded.map(({ name }) => name)).toEqual(await namesOfRules());
    expect(loaded.filter(({ health }) => health !== 'ok')).toEqual([]);
    // Whether the machine of the tests has disk left is not what is tested.
    const alerts = loaded.filter(({ name, state }) => state !== 'inactive' && !name.startsWith('CulpritDisk'));
    expect(alerts).toEqual([]);
  });
});

describe('the dashboard', () => {
  test('has a title, a place and a question for each panel', async () => {
    const all = await panels();
    expect(all.length).toBeGreaterThan(15);
    for (const panel of all) {
      expect(panel).toMatchObject({
        title: expect.any(String) as string,
        gridPos: { w: expect.any(Number) as number },
      });
      expect(panel.targets?.length).toBeGreaterThan(0);
    }
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('asks what Prometheus answers, and nearly all of it has data', async () => {
    const empty: string[] = [];
    for (const { title, targets = [] } of await panels())
      for (const { expr } of targets) {
        const { result } = await query(expr);
        if (result.length === 0) empty.push(title);
      }
    // Of a server that is well and has been there for a minute.
    const mayBeEmpty = ['Disk full in', 'Deleted, to be returned', 'Failing jobs', 'Rejected requests'];
    expect(empty.filter((title) => !mayBeEmpty.includes(title))).toEqual([]);
  });
});

test('every metric that is named is one that the server has', async () => {
  const body = await (await fetch(`${server.url}/metrics`)).text();
  const told = new Set(Array.from(body.matchAll(/^# TYPE (\w+)/gm), ([, name]) => name));
  const documents = await Promise.all(
    ['culprit.rules.yml', 'culprit.rules.test.yml', 'grafana-dashboard.json'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    ),
  );
  const guide = await guideText('monitor-culprit');
  const named = new Set(
    [...documents, guide].flatMap((text) => text.match(/\b(?:culprit|process|nodejs)_[a-z_]+[a-z]\b/g) ?? []),
  );
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((name) => !told.has(name))).toEqual([]);
  // What nobody is shown, the guide names.
  expect(Object.keys(metrics).filter((name) => !guide.includes(name))).toEqual([]);
});

test('labels that alerts name are there', async () => {
  const { result } = await query('culprit_job_failed_runs');
  expect(result.length).toBeGreaterThan(20);
  for (const { metric } of result)
    expect(metric).toMatchObject({ job: 'culprit', job_name: expect.any(String) as string });
  const stores = (await query('culprit_disk_bytes')).result.map(({ metric }) => metric.store);
  expect(stores).toEqual(expect.arrayContaining(['events', 'state', 'log']));
});

test('the commands of the guide: its files are valid, and its token opens the metrics from elsewhere', async () => {
  // They stand in a list.
  const lines = commandLines((await guideText('monitor-culprit')).replaceAll(/^ {3}/gm, ''), 'sh');
  const [create = '', ...checks] = lines.map((line) => line.replace('you@example.com', owner.email));
  const made = await culprit(create.split(' ').slice(1), { CULPRIT_DATA_DIR: server.dataDir });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(checks).toHaveLength(2);
  for (const check of checks) {
    const [name, ...words] = check.split(' ');
    expect(name).toBe('promtool');
    const { stdout } = await promisify(execFile)(program('promtool'), words, { cwd: dir });
    expect(stdout, check).toContain('SUCCESS');
  }
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const { token } = JSON.parse(made.stdout) as { token: string };
  expect((await fetch(`${server.url}/metrics`, { headers: from })).status).toBe(401);
  const authorization = `Bearer ${token}`;
  expect((await fetch(`${server.url}/metrics`, { headers: { ...from, authorization } })).status).toBe(200);
});
