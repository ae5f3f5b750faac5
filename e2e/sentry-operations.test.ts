/**
 * The operations of Sentry's public API, as its own client lists them (`sentry schema`): each is answered here, or is absent
 * for a reason that whoever asks reads in a sentence.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { absentAt } from '../server/src/api/absent.ts';
import { endpoints } from '../server/src/api/endpoints.ts';
import { runBuild, sentryProgram } from './uploads.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
}

/** This number may only fall: what comes to Culprit is answered. */
const mostAbsent = 153;

let home: string;
let operations: readonly Operation[];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'culprit-operations-'));
  const { code, output } = await runBuild(process.execPath, [sentryProgram, 'schema', '--all', '--json'], home, {
    HOME: home,
    SENTRY_CONFIG_DIR: home,
    SENTRY_URL: 'http://127.0.0.1:9',
    SENTRY_CLI_NO_TELEMETRY: '1',
    SENTRY_CLI_NO_UPDATE_CHECK: '1',
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('loopback-only.ts', import.meta.url))}`,
    CULPRIT_TEST_OUTSIDE: join(home, 'outside'),
  });
  expect(code, output).toBe(0);
  operations = JSON.parse(output.slice(output.search(/^\[/m))) as Operation[];
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Whatever parameters are called. */
const shapeOf = (method: string, path: string): string =>
  `${method} ${path.replace(/^\/api\/0/, '').replaceAll(/\{\w+\}|:\w+/g, '*')}`;

test('each is answered, or absent in a sentence', () => {
  expect(operations.length).toBeGreaterThan(200);
  const answered = new Set(endpoints.map(({ method, url }) => shapeOf(method, url)));
  const rest = operations.filter(({ method, path }) => !answered.has(shapeOf(method, path)));
  const said = (one: Operation): string | undefined => absentAt(one.path.replaceAll(/\{\w+\}/g, '1'), one.method);
  expect(rest.filter((one) => said(one) === undefined).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  const reasons = Map.groupBy(rest, (one) => said(one));
  console.log(
    `${operations.length} operations, ${operations.length - rest.length} answered; absent:`,
    [...reasons].map(([why, all]) => `${all.length} ${why}`).join('\n'),
  );
  expect(rest.length).toBeLessThanOrEqual(mostAbsent);
});
