/** Builds an example of Next.js for production, once, and starts it with the DSN of a running Culprit. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { freePort } from '../server/test/harness.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Stands in the build where a DSN is inlined, and gives way to the real one before each start. */
const placeholder = 'http://00000000000000000000000000000000@127.0.0.1:9/0';

/** What the app is, apart from what is derived from it. */
const derived = /(^|\/)(node_modules|\.next|\.variant|next-env\.d\.ts|tsconfig\.tsbuildinfo)($|\/)/;

export interface NextApp extends AsyncDisposable {
  readonly url: string;
  /** What the server wrote so far. */
  output(): string;
}

/** The folder of an example in `examples/`. */
export function exampleDir(name: string): string {
  return join(root, 'examples', name);
}

/** The app again with a file more, in a folder of its own inside the example, where its dependencies are found. */
export async function variantOf(name: string, file: string, text: string): Promise<string> {
  const dir = exampleDir(name);
  const variant = join(dir, '.variant');
  for (const entry of await readdir(dir)) {
    if (!derived.test(entry)) await cp(join(dir, entry), join(variant, entry), { recursive: true });
  }
  await writeFile(join(variant, file), text);
  return variant;
}

/** Builds the app in `dir` unless the same sources were built there before, then starts it on a free port. */
export async function startNextApp(dir: string, dsn: string): Promise<NextApp> {
  await build(dir);
  await inlineDsn(dir, dsn);
  const port = await freePort();
  const child = run(dir, ['start', '--hostname', '127.0.0.1', '--port', String(port)], dsn);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 60_000;
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`next start failed:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** What a person reads and copies; empty while another document loads. */
export async function readScreen(tab: Page): Promise<string> {
  const text = await tab
    .locator('body')
    .innerText()
    .catch(() => '');
  return text.replace(/\s*\n\s*/g, '\n').trim();
}

function run(dir: string, args: readonly string[], dsn: string) {
  const next = createRequire(join(dir, 'package.json')).resolve('next/dist/bin/next');
  return spawn(process.execPath, [next, ...args], {
    cwd: dir,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      // Version 15 would ask the registry how to write binaries of other platforms into the lock file.
      NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
      SENTRY_SUPPRESS_GLOBAL_ERROR_HANDLER_FILE_WARNING: '1',
      NEXT_PUBLIC_SENTRY_DSN: dsn,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function build(dir: string): Promise<void> {
  const stamp = join(dir, '.next/e2e-sources');
  const sources = await fingerprint(dir);
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === sources) return;
  const child = run(dir, ['build'], placeholder);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`next build failed in ${relative(root, dir)}:\n${output}`);
  await writeFile(join(dir, '.next/e2e-dsn'), placeholder);
  await writeFile(stamp, sources);
}

async function fingerprint(dir: string): Promise<string> {
  const folders = [dir, ...['react', 'next', 'tunnel'].map((name) => join(root, 'packages', name, 'dist'))];
  const files = [join(root, 'package-lock.json'), ...(await Promise.all(folders.map(filesIn))).flat()];
  const hash = createHash('sha256');
  for (const file of files.toSorted())
    hash
      .update(relative(root, file))
      .update('\0')
      .update(await readFile(file));
  return hash.digest('hex');
}

async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(dir, entry.name);
      if (derived.test(relative(dir, path))) return [];
      return entry.isDirectory() ? filesIn(path) : [path];
    }),
  );
  return found.flat();
}

/** The same build serves any installation: as deployments with one image for several stages do. */
async function inlineDsn(dir: string, dsn: string): Promise<void> {
  const note = join(dir, '.next/e2e-dsn');
  const former = await readFile(note, 'utf8');
  for (const file of [...(await filesIn(join(dir, '.next/static'))), ...(await filesIn(join(dir, '.next/server')))]) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(file, 'utf8');
    if (text.includes(former)) await writeFile(file, text.replaceAll(former, dsn));
  }
  await writeFile(note, dsn);
}
