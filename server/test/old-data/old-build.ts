/** An earlier version as its commit has it, with what its server needs to run and nothing else. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const minutes = 60_000;

/** What the server imports, and the `package.json` of all workspaces, which the lock file names. */
const isNeeded = /^(?:package-lock\.json|\.npmrc|(?:.+\/)?package\.json|(?:server|packages\/[^/]+)\/(?:bin|src)\/.+)$/;
const isTest = /\.test\.tsx?$/;

function output(command: string, args: readonly string[], cwd: string): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    maxBuffer: 2 ** 28,
    timeout: 30 * minutes,
    // npm has given its own settings to whoever runs the tests.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_ENV$)/.test(name))),
  });
  if (status === 0) return stdout;
  const said = stderr?.toString().slice(-4_000) ?? '';
  throw new Error(`${command} ${args[0]} failed (${error?.message ?? `exit ${status}`}): ${said}`);
}

/** Of the package that servers of these versions import from its `dist`; the compiler that made it is not installed. */
async function buildReact(dir: string): Promise<void> {
  const react = join(dir, 'packages/react');
  await build({
    entryPoints: ['index', 'html', 'digest', 'guard-script'].map((name) => join(react, `src/${name}.ts`)),
    outdir: join(react, 'dist'),
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
}

/** Resolves to its program, as `useProgram` takes it. The packages come from npm's cache where it has them. */
export async function installOldBuild(commit: string, dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const names = output('git', ['ls-tree', '-r', '--name-only', commit], repository).toString().trim().split('\n');
  const wanted = names.filter((name) => isNeeded.test(name) && !isTest.test(name));
  const archive = output('git', ['archive', '--format=tar', commit, '--', ...wanted], repository);
  execFileSync('tar', ['-x'], { cwd: dir, input: archive });
  const only = ['--workspace=server', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  output('npm', ['ci', ...only], dir);
  await buildReact(dir);
  return join(dir, 'server/bin/culprit.js');
}
