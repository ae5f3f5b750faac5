/** Records fixtures/envelopes anew from the SDKs of npm: each scenario in a process or a page of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { openRecordingServer, type RecordingServer, type StaticFile } from './recording-server.ts';
import { browserScenarios, nodeScenarios, reactScenarios, type Scenario } from './scenarios.ts';
import type { Replacement } from './scrub.ts';
import { type Sender, writeFixtures } from './write-fixtures.ts';

const programs = import.meta.dirname;
const root = join(programs, '../..');
const output = join(root, 'fixtures/envelopes');
const key = '0123456789abcdef0123456789abcdef';

const sdks = {
  node: { '@sentry/node': '@sentry/node', 'sentry-node-10': '@sentry/node' },
  browser: { '@sentry/browser': '@sentry/browser', 'sentry-browser-10': '@sentry/browser' },
  react: { '@sentry/react': '@sentry/react', 'sentry-react-10': '@sentry/react' },
} as const;

function sender(module: string, sdk: string, runtime: string): Sender {
  // From the entry point up, because `exports` may hide package.json.
  const entry = createRequire(import.meta.url).resolve(module);
  const folder = entry.slice(0, entry.indexOf(join('node_modules', module)) + join('node_modules', module).length);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { folder: `${sdk.replace('@sentry/', '')}-${version.split('.', 1)[0]}`, sdk, version, runtime };
}

function report(from: Sender, names: readonly string[]): void {
  console.log(`${from.folder}: ${names.join(', ')}`);
}

async function recordNode(server: RecordingServer, machine: readonly Replacement[]): Promise<void> {
  for (const [module, sdk] of Object.entries(sdks.node)) {
    const from = sender(module, sdk, `Node ${process.versions.node}`);
    for (const scenario of nodeScenarios) {
      const dsn = `http://${key}@127.0.0.1:${server.port}/1`;
      const child = spawn(process.execPath, [join(programs, 'node-program.ts'), scenario.name], {
        cwd: root,
        // Only what the program needs: an SDK may send what it finds in the environment.
        env: { RECORD_SDK: module, RECORD_DSN: dsn, PATH: process.env['PATH'] },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const stderr = child.stderr.setEncoding('utf8').toArray();
      await once(child, 'close');
      await server.quiet(50);
      const recorded = server.take();
      if (recorded.length === 0) throw new Error(`${scenario.name} sent nothing: ${(await stderr).join('')}`);
      report(from, writeFixtures(output, from, scenario, recorded, machine));
    }
  }
}

async function bundle(entry: string, sdk: string, module: string): Promise<StaticFile> {
  const { outputFiles } = await build({
    entryPoints: [join(programs, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    alias: sdk === module ? {} : { [sdk]: module },
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return { type: 'text/javascript', body: outputFiles[0]?.contents ?? '' };
}

async function recordPage(
  browser: Browser,
  server: RecordingServer,
  files: Map<string, StaticFile>,
  entry: string,
  modules: Readonly<Record<string, string>>,
  scenarios: readonly Scenario[],
  machine: readonly Replacement[],
): Promise<void> {
  for (const [module, sdk] of Object.entries(modules)) {
    const from = sender(module, sdk, `Chromium ${browser.version().split('.', 1)[0]}`);
    files.set('/assets/app.js', await bundle(entry, sdk, module));
    for (const scenario of scenarios) {
      const page = await browser.newPage();
      await page.goto(`http://shop.example.com/?scenario=${scenario.name}`);
      await page.waitForFunction(() => document.title === 'done', undefined, { timeout: 20_000 });
      // Leaving the page makes the SDK send what it held back.
      await page.goto('about:blank');
      await server.quiet(300);
      await page.close();
      report(from, writeFixtures(output, from, scenario, server.take(), machine));
    }
  }
}

const files = new Map<string, StaticFile>([
  [
    '/',
    {
      type: 'text/html',
      body: '<!doctype html><title>Shop</title><h1>Shop</h1><div id="root"></div><button>Buy</button><script type="module" src="/assets/app.js"></script>',
    },
  ],
  ['/api/products.json', { type: 'application/json', body: '[{"name":"Lamp"}]' }],
]);

/** `machine` is what of it shows in what SDKs send. Needs Chromium. */
export async function recordJavaScript(machine: readonly Replacement[]): Promise<void> {
  await using server = await openRecordingServer(files);
  await using browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-features=HttpsUpgrades',
      // Pages and DSN get names of the outside world, so that no port of this run stands in a fixture.
      `--host-resolver-rules=MAP shop.example.com:80 127.0.0.1:${server.port}, MAP monitor.example.com:80 127.0.0.1:${server.port}`,
    ],
  });

  // Only now, so that a missing browser costs no fixture.
  rmSync(output, { recursive: true, force: true });
  await recordNode(server, machine);
  await recordPage(browser, server, files, 'browser-program.ts', sdks.browser, browserScenarios, machine);
  await recordPage(browser, server, files, 'react-program.ts', sdks.react, reactScenarios, machine);
}
