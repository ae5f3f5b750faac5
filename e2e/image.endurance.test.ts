/**
 * The container image, built for this machine: other tools read it, and it runs as its own user on a read-only root, takes
 * an event of an SDK and stops when asked. What is for the other architecture is fetched and read; nothing here runs it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { debianBase } from '../scripts/image/debian.ts';
import { node } from '../scripts/image/program.ts';
import { buildImage, type Built, ownArchitecture } from '../scripts/image.ts';
import { version } from '../server/src/base/version.ts';
import { freePort, type Installed, owner } from '../server/test/harness.ts';
import { checkTools, ended, skopeo, Unpacked } from './image.ts';
import { runNodeApp } from './node-app.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const otherArchitecture = ownArchitecture === 'amd64' ? 'arm64' : 'amd64';

/** As programs and libraries name it at their beginning. */
const machines = { amd64: 62, arm64: 183 } as const;

let dir: string;
let built: Built;
let unpacked: Unpacked;

const megabytes = (count: number): string => `${(count / 1e6).toFixed(1)} MB`;
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

beforeAll(async () => {
  checkTools();
  dir = mkdtempSync(join(tmpdir(), 'culprit-images-'));
  const started = performance.now();
  built = await buildImage([ownArchitecture], join(dir, 'own.tar'));
  const seconds = (performance.now() - started) / 1000;
  const layers = built.images.flatMap((image) => image.layers);
  const unpackedBytes = sum(layers.map((layer) => layer.unpackedSize));
  console.log(`${megabytes(built.bytes)}, unpacked ${megabytes(unpackedBytes)}, built in ${seconds.toFixed(1)} s`);
  unpacked = new Unpacked(join(dir, 'own.tar'), version);
}, 600_000);
afterAll(() => {
  unpacked?.[Symbol.dispose]();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

describe.sequential('the image', () => {
  test('is read by others as an OCI archive and as an archive of Docker', () => {
    const said = { Architecture: ownArchitecture, Os: 'linux' };
    const labels = { 'org.opencontainers.image.version': version, 'org.opencontainers.image.title': 'Culprit' };
    const archive = join(dir, 'own.tar');
    expect(skopeo('inspect', `oci-archive:${archive}`)).toMatchObject({
      ...said,
      Digest: built.digest,
      Labels: labels,
    });
    expect(skopeo('inspect', `docker-archive:${archive}`)).toMatchObject(said);
    expect(skopeo('inspect', '--config', `oci-archive:${archive}`)).toMatchObject({
      config: { User: '10001:10001', StopSignal: 'SIGTERM', Volumes: { '/var/lib/culprit': {} } },
    });
  });

  test('takes an event as its own user, on a read-only root, and stops by SIGTERM', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { CULPRIT_PORT: String(port), CULPRIT_URL: url };
    const words = ['init', '--email', owner.email, '--password-stdin', '--org', 'Acme', '--project', 'Web', '--json'];
    const set = await ended(unpacked.start(env, ['culprit', ...words]), owner.password);
    expect(set).toMatchObject({ code: 0 });
    const { dsn, organization, token } = JSON.parse(set.stdout) as Installed;

    const started = performance.now();
    const child = unpacked.start(env);
    const end = ended(child);
    await expect
      .poll(() =>
        fetch(`${url}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    const startMs = performance.now() - started;
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    const rights = unpacked.rights(child);
    expect(rights).toMatchObject({ CapEff: '0000000000000000', CapPrm: '0000000000000000', NoNewPrivs: '1' });
    expect(rights['Uid']).toBe('10001\t10001\t10001\t10001');
    expect(await unpacked.exec(child, env, 'culprit-healthy')).toMatchObject({ code: 0 });
    expect(await unpacked.exec(child, { CULPRIT_PORT: '1' }, 'culprit-healthy')).toMatchObject({ code: 1 });
    const write = "require('node:fs').writeFileSync('/opt/culprit/written', '')";
    expect((await unpacked.exec(child, env, 'node', '-e', write)).output).toContain('EROFS');
    expect((await unpacked.exec(child, env, 'culprit', 'doctor')).output).toMatch(/^ok +program +culprit /m);

    await runNodeApp({ sdk: '@sentry/node', dsn, scenario: 'handled', release: 'contained@1' });
    const query = encodeURIComponent('release:contained@1 "checkout failed"');
    const issues = `${url}/api/0/organizations/${organization}/issues/?query=${query}`;
    const headers = { authorization: `Bearer ${token}` };
    await expect
      .poll(async () => (await (await fetch(issues, { headers })).json()) as unknown)
      .toEqual([expect.objectContaining({ title: expect.stringContaining('checkout failed') })]);
    expect(await (await fetch(url)).text()).toContain('<script type="module"');

    const asked = performance.now();
    process.kill(unpacked.first(child), 'SIGTERM');
    expect(await end).toMatchObject({ code: 0 });
    const stopMs = performance.now() - asked;
    expect(stopMs).toBeLessThan(9_000);
    console.log(`started in ${(startMs / 1000).toFixed(1)} s, stopped in ${(stopMs / 1000).toFixed(1)} s`);
  });

  test('has libraries and a Node of the other architecture for its image', () => {
    const at = join(dir, otherArchitecture);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly dependencies: { readonly node: string };
    };
    const base = debianBase(otherArchitecture, join(at, 'debian'));
    const program = node(dependencies.node, otherArchitecture === 'amd64' ? 'x64' : 'arm64', join(at, 'node'));
    const libraries = base.filter(
      ({ path, file }) => file && /\/libc\.so\.6$|\/libstdc\+\+\.so\.6\.[\d.]+$/.test(path),
    );
    expect(libraries).toHaveLength(2);
    for (const { file = '' } of [...libraries, ...program.slice(0, 1)])
      expect(readFileSync(file).readUInt16LE(18)).toBe(machines[otherArchitecture]);
  });

  test('is the same when it is built again', async () => {
    const again = await buildImage([ownArchitecture], join(dir, 'again.tar'));
    expect(again).toEqual(built);
  }, 600_000);

  test('stands beside one for the other architecture, for which npm may have no engine', async ({ skip }) => {
    const archive = join(dir, 'both.tar');
    const both = await buildImage([otherArchitecture, ownArchitecture], archive).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('npm has no @chdb/')) return error.message;
      throw error;
    });
    if (typeof both === 'string') return skip(both);
    const platforms = [otherArchitecture, ownArchitecture].map((architecture) => ({ os: 'linux', architecture }));
    expect(both.images.map((image) => image.manifest.platform)).toEqual(platforms);
    expect(both.images[1]?.manifest.digest).toBe(built.images[0]?.manifest.digest);
    for (const { architecture } of platforms) {
      const read = skopeo('inspect', `--override-arch=${architecture}`, `oci-archive:${archive}`);
      expect(read).toMatchObject({ Architecture: architecture });
    }
  }, 600_000);
});
