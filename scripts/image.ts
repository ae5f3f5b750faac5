/**
 * `npm run image`: Culprit as an OCI image, made without a daemon and without root. Its layers are Debian's libraries,
 * Node, npm's packages and the program: most upgrades change the last one only. The same sources and packages give the
 * same digests.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { debianBase, user } from './image/debian.ts';
import { addImage, addLayer, archive, type Layer, type Manifest, nameImages, startLayout } from './image/layout.ts';
import { type Cpu, dependencies, node } from './image/program.ts';
import { entriesOf } from './image/tar.ts';
import { layOut } from './pack.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const cpus: Readonly<Record<string, Cpu>> = { amd64: 'x64', arm64: 'arm64' };

/** As images call it. */
export const ownArchitecture = process.arch === 'x64' ? 'amd64' : process.arch;

export interface Image {
  readonly architecture: string;
  readonly layers: readonly Layer[];
  readonly manifest: Manifest;
}

export interface Built {
  readonly digest: string;
  readonly bytes: number;
  readonly images: readonly Image[];
}

/** Of the commit that is built; that of the variable which builds agree on wins. */
function sourceTime(): number {
  const said = Number(process.env.SOURCE_DATE_EPOCH);
  return said || Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}

const port = '7420/tcp';
const second = 1e9;

const configOf = ({ version, description, license }: Readonly<Record<string, string>>): object => ({
  User: `${user}:${user}`,
  WorkingDir: '/var/lib/culprit',
  Env: [
    'PATH=/usr/local/bin',
    'HOME=/var/lib/culprit',
    'SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt',
    'CULPRIT_HOST=0.0.0.0',
    'CULPRIT_DATA_DIR=/var/lib/culprit',
  ],
  Entrypoint: ['culprit'],
  Cmd: ['serve'],
  ExposedPorts: { [port]: {} },
  Volumes: { '/var/lib/culprit': {} },
  StopSignal: 'SIGTERM',
  // Docker's addition to the format.
  Healthcheck: {
    Test: ['CMD', 'culprit-healthy'],
    Interval: 30 * second,
    Timeout: 5 * second,
    StartPeriod: 60 * second,
    Retries: 3,
  },
  Labels: {
    'org.opencontainers.image.title': 'Culprit',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
  },
});

/** An image for each architecture, from what was built, as an archive at `out`. */
export async function buildImage(architectures: readonly string[], out: string): Promise<Built> {
  const dir = mkdtempSync(join(tmpdir(), 'culprit-image-'));
  try {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<
      Record<string, string>
    > & {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const layout = join(dir, 'layout');
    const program = join(dir, 'program');
    const time = sourceTime();
    startLayout(layout);
    await layOut(program);
    for (const name of ['culprit', 'culprit-healthy']) cpSync(join(root, 'deploy/image', name), join(dir, 'bin', name));
    const images: Image[] = [];
    for (const architecture of architectures) {
      const cpu = cpus[architecture];
      if (!cpu) throw new Error(`no images for ${architecture}: there are ${Object.keys(cpus).join(' and ')}`);
      const at = join(dir, architecture);
      const nodeVersion = manifest.dependencies.node ?? '';
      const parts = [
        ["Debian's libraries", debianBase(architecture, join(at, 'debian')), 0],
        [`Node ${nodeVersion}`, node(nodeVersion, cpu, join(at, 'node')), 0],
        ["npm's packages", dependencies(root, program, cpu, join(at, 'packages')), 0],
        [
          `Culprit ${manifest.version}`,
          [
            ...entriesOf(program, 'opt/culprit'),
            ...entriesOf(join(dir, 'bin'), 'usr/local/bin').map((entry) => ({ ...entry, mode: 0o755 })),
          ],
          // Browsers tell files of two versions apart by it.
          time,
        ],
      ] as const;
      const layers: Layer[] = [];
      for (const [made, entries, changed] of parts) layers.push(await addLayer(layout, made, entries, changed));
      images.push({ architecture, layers, manifest: addImage(layout, architecture, configOf(manifest), layers, time) });
    }
    const { digest } = nameImages(
      layout,
      'culprit',
      manifest.version ?? '',
      images.map((image) => image.manifest),
    );
    mkdirSync(dirname(out), { recursive: true });
    return { digest, bytes: await archive(layout, out), images };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      arch: { type: 'string', default: ownArchitecture },
      out: { type: 'string', default: join(root, 'release/culprit.oci.tar') },
    },
  });
  const started = performance.now();
  const { digest, bytes, images } = await buildImage(values.arch.split(','), resolve(values.out));
  const megabytes = (count: number): string => `${(count / 1e6).toFixed(1)} MB`;
  for (const { architecture, layers } of images) {
    for (const { made, size, unpackedSize } of layers)
      console.log(`${architecture}  ${made}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${values.out}: ${megabytes(bytes)}, ${digest}, built in ${seconds} s`);
}
