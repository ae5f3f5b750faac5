/** What Culprit runs on, and its packages, for an architecture that may be another one than this machine's. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, entriesOf } from './tar.ts';

/** As npm calls it. */
export type Cpu = 'x64' | 'arm64';

interface Locked {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Locked>>;

/** No package's script is run, which would be one of the other architecture. */
function install(dir: string, cpu: Cpu, manifest: object): string {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest));
  const platform = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const words = ['install', '--omit=dev', '--ignore-scripts', '--prefer-offline', ...platform, ...quiet];
  execFileSync('npm', words, { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(dir, 'node_modules');
}

/** Where a package that lies at `from` finds another. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  for (let dir: string | undefined = from; dir !== undefined;) {
    const path: string = dir ? `${dir}/node_modules/${name}` : `node_modules/${name}`;
    if (lock[path]) return path;
    const up: number = dir.lastIndexOf('/node_modules/');
    dir = up >= 0 ? dir.slice(0, up) : dir ? '' : undefined;
  }
  return undefined;
}

/**
 * The versions that the lock file of the workspace has for what these packages ask for, as npm's `overrides`: the lock
 * file itself has no packages of other platforms.
 */
export function lockedVersions(lock: Lock, names: readonly string[]): Record<string, unknown> {
  const versions: Record<string, unknown> = {};
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const { dependencies, optionalDependencies } = lock[path] ?? {};
    const parent = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const within: Record<string, string> = {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolve(lock, path, name);
      const version = found && lock[found]?.version;
      if (!version) continue;
      within[name] = version;
      visit(found);
    }
    if (Object.keys(within).length) versions[parent] = within;
  };
  for (const name of names) visit(`node_modules/${name}`);
  return versions;
}

/** The packages that the program in `program` asks for. */
export function dependencies(root: string, program: string, cpu: Cpu, dir: string): Entry[] {
  const { dependencies } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock };
  const overrides = lockedVersions(packages, Object.keys(dependencies));
  const installed = install(dir, cpu, { private: true, dependencies, overrides });
  for (const name of [`@chdb/lib-linux-${cpu}-gnu`, `@lmdb/lmdb-linux-${cpu}`])
    if (!existsSync(join(installed, name)))
      throw new Error(`npm has no ${name}, without which there is no image for ${cpu}`);
  return entriesOf(installed, 'opt/culprit/node_modules', (path) => !/^\.(?:bin|package-lock\.json)/.test(path));
}

/** Node alone: it needs neither npm nor headers. */
export function node(version: string, cpu: Cpu, dir: string): Entry[] {
  const name = `node-linux-${cpu}`;
  // Optional ones are taken for the platform that was said, others for the one that npm runs on.
  const from = join(install(dir, cpu, { private: true, optionalDependencies: { [name]: version } }), name);
  return [
    { path: 'usr/local/bin/node', mode: 0o755, file: join(from, 'bin/node') },
    { path: 'usr/local/share/doc/node/LICENSE', mode: 0o644, file: join(from, 'LICENSE') },
  ];
}
