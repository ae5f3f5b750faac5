/** The guide about several machines, and the file for Compose that it starts. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { settings } from '../src/base/config.ts';
import { roleNames } from '../src/base/roles.ts';
import { parseS3Address } from '../src/base/s3/address.ts';
import { version } from '../src/base/version.ts';
import { parseEventsUrl } from '../src/ports/events/address.ts';
import { connectEvents } from '../src/ports/events/open.ts';
import { startEngine } from '../src/ports/events/supervisor.ts';
import { parseNatsAddress } from '../src/ports/nats/address.ts';
import { readCompose } from './compose/validate.ts';
import { argumentsOf, codeBlocks, commandLines, guideText, spokenCommands } from './guides.ts';
import { hasNewestNats, newestNats } from './nats/places.ts';
import { proxyProgram } from './proxies/places.ts';

const compose = fileURLToPath(new URL('../../deploy/compose.scaled.yaml', import.meta.url));
const known: readonly string[] = Object.values(settings).map(({ env }) => env);

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
}

/** With what `<<` names, which the parser leaves as it stands. */
function merged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(merged);
  if (typeof value !== 'object' || value === null) return value;
  const { '<<': base, ...own } = value as Record<string, unknown>;
  const named = base === undefined ? {} : (merged(base) as object);
  return { ...named, ...Object.fromEntries(Object.entries(own).map(([name, one]) => [name, merged(one)])) };
}

const composeFile = async (): Promise<{
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: { readonly balancer: { readonly content: string } };
}> => merged(load(await readFile(compose, 'utf8'))) as Awaited<ReturnType<typeof composeFile>>;

/** Variables as Compose reads them, each with a value. */
const filled = (text: string): string => text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, 'value');

test('settings and addresses of the guide are ones that there are', async () => {
  const guide = await guideText('scale');
  expect(known).toEqual(expect.arrayContaining([...new Set(guide.match(/\bCULPRIT_[A-Z_]+[A-Z]\b/g))]));
  const lines = commandLines(guide, 'ini').map((line) => line.split(/=(.*)/s));
  const valuesOf = (name: string): string[] => lines.flatMap(([key, value = '']) => (key === name ? [value] : []));
  expect(valuesOf('CULPRIT_EVENTS_URL').map((url) => parseEventsUrl(url).cluster)).toEqual([undefined, 'main']);
  expect(valuesOf('CULPRIT_LOG_URL').map((url) => parseNatsAddress(url).replicas)).toEqual([3]);
  expect(valuesOf('CULPRIT_BLOBS_URL').map((url) => parseS3Address(url, {}).bucket)).toEqual(['culprit']);
});

test('roles of the guide are all that there are', async () => {
  const guide = await guideText('scale');
  const asked = argumentsOf(guide, 'serve').map((words) => /^--role ([\w,]+)$/.exec(words)?.[1]?.split(',') ?? []);
  expect(asked.flat().sort()).toEqual([...roleNames].sort());
});

async function makeDir(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'culprit-scale-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Throws what nginx says of a configuration, which stands in `http`. */
function checkNginx(dir: string, plain: string): void {
  const program = proxyProgram('nginx');
  if (!program) throw new Error('nginx is missing: run "node scripts/provision.ts"');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${dir}/${kind};`);
  const file = join(dir, 'nginx.conf');
  writeFileSync(
    file,
    `pid ${dir}/pid; error_log stderr; events {}\nhttp { access_log off; ${paths.join(' ')}\n${plain} }`,
  );
  const { status, stderr } = spawnSync(program, ['-t', '-p', dir, '-c', file], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

test('nginx has nothing against its configuration, which leads each path to its role', async () => {
  await using dir = await makeDir();
  const [server = ''] = codeBlocks(await guideText('scale'), 'nginx');
  const plain = server.replace('listen 443 ssl;', 'listen 127.0.0.1:8443;').replaceAll(/^ *ssl_certificate.*\n/gm, '');
  checkNginx(dir.path, plain);
  const locations = [...plain.matchAll(/location (\S+) \{ proxy_pass http:\/\/culprit_(\w+);/g)];
  const { configs } = await composeFile();
  const ofCompose = [...configs.balancer.content.matchAll(/location (\S+) \{ proxy_pass \$\$(\w+);/g)];
  const pairs = (found: RegExpExecArray[]): string[] => found.map(([, path, role]) => `${path} ${role}`).sort();
  expect(pairs(locations)).toEqual(pairs(ofCompose));
  expect(locations.length).toBe(6);
});

test('the file for Compose starts each role of this version, shut, with settings that a node starts with', async () => {
  const { services } = await composeFile();
  for (const role of roleNames) {
    const service = services[role];
    expect(service, role).toMatchObject({ image: `culprit:${version}`, deploy: { replicas: 2 } });
    const environment = Object.fromEntries(
      Object.entries(service?.environment ?? {}).map(([name, value]) => [name, filled(value)]),
    );
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(environment.CULPRIT_ROLE).toBe(role);
    expect(parseNatsAddress(environment.CULPRIT_LOG_URL ?? '')).toMatchObject({ replicas: 3, prefix: 'culprit' });
    expect(parseEventsUrl(environment.CULPRIT_EVENTS_URL ?? '')).toMatchObject({ database: 'culprit' });
    expect(parseS3Address(environment.CULPRIT_BLOBS_URL ?? '', {})).toMatchObject({ bucket: 'culprit', tls: false });
    expect(new URL(environment.CULPRIT_STATE_URL ?? '').pathname).toBe('/culprit');
  }
  for (const [name, service] of Object.entries(services)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.mem_limit, name).toBeDefined();
  }
  const guide = await guideText('scale');
  const asked = new Set((await readFile(compose, 'utf8')).match(/(?<=\$\{)\w+/g));
  const said = commandLines(guide, 'ini').map((line) => line.split('=')[0] ?? '');
  expect(said).toEqual(expect.arrayContaining([...asked]));
  expect(commandLines(guide, 'sh').join('\n')).toContain('--file deploy/compose.scaled.yaml');
});

test('the Compose specification has nothing against it, and it needs each of its variables', async () => {
  const text = await readFile(compose, 'utf8');
  const names = [...new Set(text.match(/(?<=\$\{)\w+/g))];
  const { services, configs } = readCompose(filled(text));
  expect(Object.keys(services)).toEqual(expect.arrayContaining([...roleNames]));
  for (const name of names) {
    expect(() => readCompose(text), name).toThrow(`required variable ${name} is missing`);
  }
  await using dir = await makeDir();

  // What it writes for others, by their own checkers.
  const balancer = configs?.balancer?.content ?? '';
  checkNginx(dir.path, balancer.replaceAll('$$', '$').replace('listen 8080;', 'listen 127.0.0.1:8443;'));
  if (!hasNewestNats()) throw new Error('the newest nats-server is missing: run "node scripts/provision.ts"');
  const file = join(dir.path, 'nats.conf');
  await writeFile(file, (configs?.nats?.content ?? '').replaceAll('$$', '$').replace('/data', dir.path));
  const env = { ...process.env, NATS_PASSWORD: 'value' };
  const { status, stdout, stderr } = spawnSync(newestNats, ['-t', '--name', 'nats-1', '-c', file], {
    encoding: 'utf8',
    env,
  });
  expect(status, stdout + stderr).toBe(0);
});

test('commands and statements of the guide: each is one that there is', async () => {
  const guide = await guideText('scale');
  // Of blocks: `serve` above, Compose in the test of its file. In sentences:
  expect(spokenCommands(guide)).toEqual(['migrate', 'backup']);
  expect(commandLines(guide, 'sh').filter((line) => !/^culprit serve |^docker compose /.test(line))).toEqual([]);
  await using dir = await makeDir();
  await using engine = await startEngine({ dataDir: join(dir.path, 'engine') });
  await using events = connectEvents({ ...engine.address, database: 'default' });
  const statements = [...guide.matchAll(/`(BACKUP [^`]+)`/g)].map(([, one = '']) =>
    one.replace('(…)', "('https://s3/b')"),
  );
  expect(statements.length).toBe(2);
  for (const statement of statements) {
    const [formatted] = await events.query<{ text: string }>('SELECT formatQuery({statement:String}) AS text', {
      statement,
    });
    expect(formatted?.text).toMatch(/^BACKUP DATABASE culprit/);
  }
});
