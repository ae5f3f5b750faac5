/** The base of the image: what Node and the engine need of Debian, and no shell. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, entriesOf } from './tar.ts';

/** The first makes the directories, which may be links that others go through. */
const packages = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6', 'ca-certificates', 'tzdata'];

export const user = 10_001;

function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string; stderr?: string };
    if (code === 'ENOENT') throw new Error(`${command} is not there: an image is built on Debian`, { cause: error });
    throw new Error(`${command} ${args.join(' ')} failed:\n${stderr}`, { cause: error });
  }
}

/** As this machine's sources have them, with their signatures checked, for another architecture too. */
function download(architecture: string, dir: string): string[] {
  for (const path of ['apt/lists/partial', 'apt/cache/archives/partial', 'packages'])
    mkdirSync(join(dir, path), { recursive: true });
  const settings = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    // As whoever runs it: the sandbox may not write here.
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Dir::State': join(dir, 'apt'),
    'Dir::State::lists': join(dir, 'apt/lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(dir, 'apt/cache'),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const to = join(dir, 'packages');
  run('apt-get', [...options, 'update', '-qq'], to);
  run('apt-get', [...options, 'download', '-qq', ...packages], to);
  const found = readdirSync(to);
  return packages.map((name) => {
    const file = found.find((path) => path.startsWith(`${name}_`));
    if (!file) throw new Error(`Debian's package ${name} for ${architecture} was not found`);
    return join(to, file);
  });
}

const kept =
  /^(?:bin$|sbin$|lib|usr\/lib|usr\/share\/zoneinfo|usr\/share\/common-licenses|usr\/share\/doc\/[^/]+\/copyright$|etc\/(?:debian_version|host\.conf|ld\.so\.conf\.d|os-release))/;
/** Converters of character sets that nothing here asks for, and tools of package managers. */
const dropped = /^usr\/lib\/(?:[^/]+\/(?:gconv|audit)|tmpfiles\.d)(?:\/|$)/;

const text = (path: string, content: string): Entry => ({ path, mode: 0o644, content });

/** Unpacks Debian's packages below `dir`. */
export function debianBase(architecture: string, dir: string): Entry[] {
  const root = join(dir, 'root');
  const controls = download(architecture, dir).map((file): Entry => {
    run('dpkg-deb', ['-x', file, root], dir);
    const control = run('dpkg-deb', ['-f', file], dir);
    // Where scanners of images look for what is installed.
    return text(`var/lib/dpkg/status.d/${/^Package: (.+)$/m.exec(control)?.[1]}`, control);
  });
  const certificates = globSync('usr/share/ca-certificates/**/*.crt', { cwd: root }).toSorted();
  return [
    ...entriesOf(root, '', (path) => kept.test(path) && !dropped.test(path)),
    ...controls,
    text(
      'etc/ssl/certs/ca-certificates.crt',
      certificates.map((path) => readFileSync(join(root, path), 'utf8')).join(''),
    ),
    text('etc/passwd', `root:x:0:0::/root:/nologin\nculprit:x:${user}:${user}::/var/lib/culprit:/nologin\n`),
    text('etc/group', `root:x:0:\nculprit:x:${user}:\n`),
    text('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
    ...['dev', 'proc', 'sys', 'run', 'root'].map((path) => ({ path, mode: 0o755 })),
    ...['tmp', 'var/tmp'].map((path) => ({ path, mode: 0o1777 })),
    { path: 'var/lib/culprit', mode: 0o700, owner: user },
  ];
}
