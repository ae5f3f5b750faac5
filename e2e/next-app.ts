/** Builds an example of Next.js for production, uploads its source maps to a running Culprit, and starts it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { endurance, freePort } from '../server/test/harness.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the app is, apart from what is derived from it. */
const derived = new Set(['node_modules', '.next', '.variant', 'next-env.d.ts', 'tsconfig.tsbuildinfo']);

export interface NextApp extends AsyncDisposable {
  readonly url: string;
  /** What the server wrote so far. */
  output(): string;
}

/** The folder of an example in `examples/`. */
export function exampleDir(name: string): string {
  return join(root, 'examples', name);
}

/** What the example says of its build, and what it says where `npm run endurance` alone checks its types. */
const config = [
  'const config: NextConfig = {};',
  'const config: NextConfig = { typescript: { ignoreBuildErrors: true } };',
];

/** The app once more, in a folder of its own inside the example, where its dependencies are found and tests may change it. */
export async function copyOf(name: string): Promise<string> {
  const dir = exampleDir(name);
  const copy = join(dir, '.variant');
  await rm(copy, { recursive: true, force: true });
  for (const entry of await readdir(dir)) {
    if (!derived.has(entry)) await cp(join(dir, entry), join(copy, entry), { recursive: true });
  }
  const [whole = '', untyped = ''] = config;
  const path = join(copy, 'next.config.ts');
  const text = await readFile(path, 'utf8');
  if (!text.includes(whole)) throw new Error(`${path} does not say "${whole}"`);
  if (!endurance) await writeFile(path, text.replace(whole, untyped));
  return copy;
}

/** `settings`: where to upload source maps, and with which token; none are uploaded without. */
export async function buildNextApp(
  dir: string,
  dsn: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = run(dir, ['build'], { NEXT_PUBLIC_SENTRY_DSN: dsn, ...settings });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`next build failed in ${dir}:\n${output}`);
}

/** Starts what was built in `dir`, on a free port. */
export async function startNextApp(dir: string, dsn: string): Promise<NextApp> {
  const port = await freePort();
  const child = run(dir, ['start', '--hostname', '127.0.0.1', '--port', String(port)], {
    NEXT_PUBLIC_SENTRY_DSN: dsn,
  });
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

function run(dir: string, args: readonly string[], settings: Readonly<Record<string, string>>) {
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
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
