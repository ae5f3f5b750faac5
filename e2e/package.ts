/** The npm package as somebody installs it: packed from the checkout, in an empty folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOut, pack, type Packed } from '../scripts/pack.ts';

export interface InstalledPackage extends AsyncDisposable {
  /** The folder that it was installed in. */
  readonly dir: string;
  /** What its `culprit` runs. */
  readonly program: string;
  readonly packed: Packed;
  readonly installMs: number;
}

export async function run(command: string, args: readonly string[], cwd: string, env = process.env): Promise<string> {
  const child = spawn(command, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return stdout;
}

/** Without scripts of packages, which may be forbidden: so nothing is compiled either. */
export async function installPackage(): Promise<InstalledPackage> {
  const root = await mkdtemp(join(tmpdir(), 'culprit-package-'));
  const dispose = (): Promise<void> => rm(root, { recursive: true, force: true });
  try {
    const dir = join(root, 'installed');
    await layOut(join(root, 'culprit'));
    const packed = pack(join(root, 'culprit'), root);
    const started = performance.now();
    const words = ['install', '--prefix', dir, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', [...words, packed.path], root);
    const program = join(dir, 'node_modules/culprit/server/bin/culprit.js');
    return { dir, program, packed, installMs: performance.now() - started, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Of all files below `dir` but those of packages whose path contains `without`, bytes. */
export async function sizeOf(dir: string, without: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(
    paths.filter((path) => !path.includes(without)).map(async (path) => (await stat(path)).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
