/**
 * Packages that only tests and checks need. `npm ci` leaves them out (`omit=dev` in .npmrc); the commands that need them
 * install them, by the lock files: dev dependencies of the workspaces, and the examples that are projects of their own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

interface Locked {
  readonly version?: string;
  /** For some platforms only. */
  readonly optional?: boolean;
}

const read = (path: string): Lock => JSON.parse(readFileSync(path, 'utf8')) as Lock;

/** Whether each is there, those that `npm ci` left out and those that are new since. */
function areWorkspacesComplete(): boolean {
  const noted = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(noted)) return false;
  const { packages: present } = read(noted);
  const wanted = Object.entries(read(join(root, 'package-lock.json')).packages);
  return wanted.every(
    ([path, { version, optional }]) =>
      optional ||
      !path.includes('node_modules/') ||
      (present[path]?.version === version && existsSync(join(root, path))),
  );
}

/** Projects of their own, which would make the packages of a checkout half as large again. */
const projects = globSync('examples/*/package-lock.json', { cwd: root }).map((path) => join(root, dirname(path)));

/** As it was when the project was installed. */
const stampOf = (project: string): string => join(project, 'node_modules/.installed-lock.json');

function isInstalled(project: string): boolean {
  const stamp = stampOf(project);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(join(project, 'package-lock.json'), 'utf8');
}

/** Scripts of these packages would fetch what lies in packages beside them. */
function npm(cwd: string, ...words: string[]): boolean {
  const common = ['--include=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  const env = { ...process.env, npm_config_loglevel: 'error' };
  return spawnSync('npm', [...words, ...common], { cwd, stdio: 'inherit', env }).status === 0;
}

/** False where npm could not install them, and has said why. */
export function installTestPackages(): boolean {
  if (!areWorkspacesComplete()) {
    console.log('installing packages for tests and checks …');
    if (!npm(root, 'install', '--no-save')) return false;
  }
  for (const project of projects) {
    if (isInstalled(project)) continue;
    console.log(`installing packages of ${project} …`);
    if (!npm(project, 'ci')) return false;
    writeFileSync(stampOf(project), readFileSync(join(project, 'package-lock.json')));
  }
  return true;
}

if (import.meta.main && !installTestPackages()) process.exit(1);
