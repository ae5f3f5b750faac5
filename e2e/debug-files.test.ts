/** The real sentry-cli, 2 and 3: mappings of ProGuard and source bundles, as the plugins of Gradle and Maven have it upload them. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endurance, envelopeUrl, newEventId, Server } from '../server/test/harness.ts';
import { storedEvent } from './built-script.ts';
import { runBuild, sentryCli, uploadSettings } from './uploads.ts';

let server: Server;
let settings: Record<string, string>;
let directory: string;

beforeAll(async () => {
  [server, directory] = await Promise.all([Server.create(), mkdtemp(join(tmpdir(), 'culprit-debug-files-'))]);
  settings = await uploadSettings(server);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  if (directory) await rm(directory, { recursive: true, force: true });
});

const cli = (words: readonly string[], version: 2 | 3 = 3) => sentryCli(words, directory, settings, version);

const mapping = (comment: string): string => `# ${comment}
com.example.shop.Cart -> a.b:
# {"id":"sourceFile","fileName":"Cart.java"}
    1:3:void com.example.shop.Till.open(int):2:4 -> a
    1:3:void order():6:6 -> a
com.example.shop.OutOfStock -> a.c:
`;

async function write(path: string, text: string): Promise<string> {
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

async function send(event: object): Promise<string> {
  const id = newEventId();
  const payload = JSON.stringify({ ...event, event_id: id });
  const body = `${JSON.stringify({ event_id: id })}\n${JSON.stringify({ type: 'event' })}\n${payload}\n`;
  const { status } = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  expect(status).toBe(200);
  return id;
}

const obfuscated = (uuid: string, jvm?: string) => ({
  platform: 'java',
  exception: {
    values: [
      {
        type: 'c',
        module: 'a',
        value: uuid,
        stacktrace: { frames: [{ module: 'a.b', function: 'a', filename: 'SourceFile', lineno: 2 }] },
      },
    ],
  },
  debug_meta: { images: [{ type: 'proguard', uuid }, ...(jvm ? [{ type: 'jvm', debug_id: jvm }] : [])] },
});

/** Once something is known of its frames that was not sent. */
const mapped = (id: string) =>
  server.until(`event ${id} with what was written`, async () => {
    const event = await storedEvent(server, id);
    const frames = event?.stacks[0] ?? [];
    return event && frames.some(({ data, context }) => data?.sourcemap || context.length > 0) && event;
  });

const functions = (stacks: Awaited<ReturnType<typeof mapped>>['stacks']): string[] =>
  (stacks[0] ?? []).map((frame) => `${frame.function}:${frame.lineNo}`);

describe('mappings of ProGuard, before and after the event', () => {
  test.each([
    [3, ['proguard', 'upload']],
    [2, ['upload-proguard']],
    [2, ['upload-proguard', '--app-id', 'com.example.shop', '--version', '1.0', '--version-code', '7']],
  ] as const)('sentry-cli %s %j', async (version, words) => {
    const uuid = randomUUID();
    const late = await send(obfuscated(uuid));
    const before = await server.until('the event', () => storedEvent(server, late));
    expect(before.stacks[0]?.[0]?.data?.unresolved).toMatchObject({ code: 'no_artifact', debug_id: uuid });
    const file = await write(`${uuid}/mapping.txt`, mapping(uuid));
    expect(await cli([...words, '--uuid', uuid, file], version)).toMatchObject({ code: 0 });
    expect(functions((await mapped(late)).stacks)).toEqual(['order:6', 'open:3']);
    const next = await mapped(await send(obfuscated(uuid)));
    expect(functions(next.stacks)).toEqual(['order:6', 'open:3']);
    expect((await cli([...words, '--uuid', uuid, file], version)).code).toBe(0);
  });
});

test.each([2, 3] as const)('bundles of Java sources, by sentry-cli %s', async (version) => {
  const [uuid, jvm] = [randomUUID(), randomUUID()];
  const cart = '\n\nclass Cart {\n  int stock;\n  void order() {\n    new Till().open(stock);\n  }\n}\n';
  const sources = dirname(await write(`jvm-${version}/src/com/example/shop/Cart.java`, cart));
  const root = join(sources, '../../..');
  const out = join(directory, `jvm-${version}/out`);
  await mkdir(out, { recursive: true });
  const late = await send({
    ...obfuscated(uuid, jvm),
    exception: {
      values: [
        {
          type: 'OutOfStock',
          module: 'com.example.shop',
          stacktrace: {
            frames: [{ module: 'com.example.shop.Cart$Row', function: 'order', filename: 'Cart.java', lineno: 6 }],
          },
        },
      ],
    },
  });
  await server.until('the event', () => storedEvent(server, late));
  const bundled = await cli(['debug-files', 'bundle-jvm', '--output', out, '--debug-id', jvm, root], version);
  expect(bundled).toMatchObject({ code: 0 });
  const uploaded = await cli(['debug-files', 'upload', '--type', 'jvm', '--wait', out], version);
  expect(uploaded).toMatchObject({ code: 0, output: expect.stringContaining('Uploaded 1') });
  const frame = (await mapped(late)).stacks[0]?.[0];
  expect(frame?.context.find(([line]) => line === 6)?.[1]).toBe('    new Till().open(stock);');
});

test.each([2, 3] as const)('a native program with its sources, by sentry-cli %s', async (version) => {
  const folder = dirname(await write(`native-${version}/shop.c`, 'int main(void) {\n  return 0;\n}\n'));
  const built = await runBuild('cc', ['-g', '-Wl,--build-id', '-o', 'shop', 'shop.c'], folder, {});
  expect(built).toMatchObject({ code: 0 });
  const upload = ['debug-files', 'upload', '--wait'];
  const refused = await sentryCli([...upload, 'shop'], folder, settings, version);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('not supported') });
  for (const _ of ['first', 'again']) {
    const { code, output } = await sentryCli([...upload, '--include-sources', 'shop'], folder, settings, version);
    expect([code, output]).toEqual([0, expect.not.stringContaining('ERROR')]);
  }
});

test('sources of a release give Go frames their lines', async () => {
  const dir = join(directory, 'go');
  await write('go/internal/cart/cart.go', 'package cart\n\nfunc At() {\n\tpanic("no")\n}\n');
  const frame = {
    function: 'At',
    module: 'example.com/shop/internal/cart',
    filename: 'cart.go',
    abs_path: '/build/internal/cart/cart.go',
    lineno: 4,
    in_app: true,
  };
  const event = {
    platform: 'go',
    release: 'shop-go@1',
    exception: { values: [{ type: 'panic', value: 'no', stacktrace: { frames: [frame] } }] },
  };
  const late = await send(event);
  await server.until('the event', () => storedEvent(server, late));
  const words = ['sourcemaps', 'upload', '--ext', 'go', '--no-rewrite', '--release', 'shop-go@1', '--wait', dir];
  expect(await cli(words)).toMatchObject({ code: 0 });
  const found = (await mapped(late)).stacks[0]?.[0];
  expect(found?.context.find(([line]) => line === 4)?.[1]).toBe('\tpanic("no")');
});

test.each([2, 3] as const)('native files are refused in a sentence by sentry-cli %s', async (version) => {
  // Whether it waits for the file to be read or not.
  for (const wait of [[], ['--wait']]) {
    const refused = await cli(['debug-files', 'upload', ...wait, '/bin/true'], version);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('native debug files') });
  }
});

/** In `npm run endurance`: Maven fetches the plugin. */
test.runIf(endurance)('the plugin of Maven uploads the sources of a build', { timeout: 300_000 }, async () => {
  const dir = join(directory, 'maven');
  const { SENTRY_URL: url, SENTRY_ORG: org, SENTRY_PROJECT: project, SENTRY_AUTH_TOKEN: token } = settings;
  const plugin = `<groupId>io.sentry</groupId><artifactId>sentry-maven-plugin</artifactId><version>0.0.8</version>`;
  const place = `<url>${url}</url><org>${org}</org><project>${project}</project><authToken>${token}</authToken>`;
  const configuration = `<configuration><skipTelemetry>true</skipTelemetry>${place}</configuration>`;
  const goals = `<executions><execution><goals><goal>uploadSourceBundle</goal></goals></execution></executions>`;
  await write(
    'maven/pom.xml',
    `<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>shop</artifactId><version>1</version>
      <build><plugins><plugin>${plugin}${configuration}${goals}</plugin></plugins></build></project>`,
  );
  await write(
    'maven/src/main/java/com/example/shop/Maven.java',
    'package com.example.shop;\n\nclass Maven {\n  int made;\n}\n',
  );
  const built = await runBuild('mvn', ['--batch-mode', 'process-resources'], dir, { HOME: homedir() });
  expect(built.output).toContain('BUILD SUCCESS');
  const properties = await readFile(join(dir, 'target/sentry/properties/sentry-debug-meta.properties'), 'utf8');
  const id = /bundle-ids=(\S+)/.exec(properties)?.[1] ?? '';
  const frame = { module: 'com.example.shop.Maven', function: 'x', filename: 'Maven.java', lineno: 4 };
  const event = await send({
    platform: 'java',
    exception: { values: [{ type: 'E', stacktrace: { frames: [frame] } }] },
    debug_meta: { images: [{ type: 'jvm', debug_id: id }] },
  });
  expect((await mapped(event)).stacks[0]?.[0]?.context.find(([line]) => line === 4)?.[1]).toBe('  int made;');
});

test('what was uploaded is listed, and gone once it is deleted', async () => {
  const { organization, project } = server.installed;
  const path = `/projects/${organization}/${project}/files/dsyms/`;
  const files = (await server.api<{ id: string; symbolType: string; state: string }[]>(path)).filter(
    ({ state }) => state === 'ok',
  );
  expect(new Set(files.map(({ symbolType }) => symbolType))).toEqual(new Set(['proguard', 'sourcebundle']));
  const [first] = files;
  await fetch(`${server.url}/api/0${path}?id=${first?.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${server.installed.token}` },
  });
  expect((await server.api<{ id: string }[]>(path)).map(({ id }) => id)).not.toContain(first?.id);
});
