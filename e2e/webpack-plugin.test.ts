/** `@sentry/webpack-plugin`, as the guide sets it up: a build uploads, and its errors show where they were written. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sentryWebpackPlugin } from '@sentry/webpack-plugin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import webpack, { type Stats } from 'webpack';
import { Server } from '../server/test/harness.ts';
import { checkoutApp, readFrame, sendEvent, storedEvent, throwIn } from './built-script.ts';
import { uploadSettings } from './uploads.ts';

let server: Server;
let settings: Record<string, string>;
let directory: string;

beforeAll(async () => {
  [server, directory] = await Promise.all([Server.create(), mkdtemp(join(tmpdir(), 'culprit-webpack-'))]);
  settings = await uploadSettings(server);
  // Here the plugin runs in this very process.
  Object.assign(process.env, { SENTRY_CONFIG_DIR: settings.SENTRY_CONFIG_DIR });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  if (directory) await rm(directory, { recursive: true, force: true });
});

async function bundle(dir: string, name: string): Promise<Stats> {
  await cp(checkoutApp, join(dir, 'src'), { recursive: true });
  const { SENTRY_URL, SENTRY_ORG, SENTRY_PROJECT, SENTRY_AUTH_TOKEN } = settings;
  const compiler = webpack({
    mode: 'production',
    context: dir,
    entry: './src/main.ts',
    devtool: 'hidden-source-map',
    output: { path: join(dir, 'assets'), filename: 'main-[contenthash:8].js', uniqueName: 'shop' },
    module: {
      rules: [{ test: /\.ts$/, loader: fileURLToPath(new URL('apps/strip-types-loader.ts', import.meta.url)) }],
    },
    plugins: [
      new webpack.DefinePlugin({ BUILD: JSON.stringify(name) }),
      sentryWebpackPlugin({
        url: SENTRY_URL,
        org: SENTRY_ORG,
        project: SENTRY_PROJECT,
        authToken: SENTRY_AUTH_TOKEN,
        telemetry: false,
        release: { name },
        sourcemaps: { filesToDeleteAfterUpload: join(dir, 'assets/*.map') },
        errorHandler(error) {
          throw error;
        },
      }),
    ],
  });
  return new Promise((resolve, reject) => {
    compiler?.run((error, stats) =>
      compiler.close((closing) => {
        const failed = error ?? closing;
        if (failed || !stats) reject(failed ?? new Error('no build'));
        else resolve(stats);
      }),
    );
  });
}

test('a build makes its release, uploads, and leaves no map', async () => {
  const stats = await bundle(directory, 'shop@webpack');
  expect(stats.toJson({ errors: true }).errors).toEqual([]);
  expect((await readdir(join(directory, 'assets'))).filter((file) => !file.endsWith('.js'))).toEqual([]);
  const { organization } = server.installed;
  expect(await server.api(`/organizations/${organization}/releases/shop@webpack/`)).toMatchObject({
    version: 'shop@webpack',
  });

  const { event, debugId } = await throwIn(directory, { release: 'shop@webpack' });
  expect(debugId).toMatch(/^[0-9a-f-]{36}$/);
  await sendEvent(server, event);
  const stored = await server.until('lines of sources', async () => {
    const found = await storedEvent(server, event.event_id);
    return found && found.symbolication.mapped > 0 && found;
  });
  expect(stored.symbolication).toEqual({ mapped: 3, unresolved: 0 });
  // The name of the package comes first. Without names of functions: the minifier puts functions that are called once where they are called.
  expect(stored.stacks.map((frames) => frames.map((frame) => readFrame(frame).replace(/^\S+ /, '')))).toEqual([
    ['src/main.ts:13:17', 'src/checkout.ts:12:10', 'src/pricing.ts:8:11'],
  ]);
});
