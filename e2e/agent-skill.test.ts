/** The skill for agents, done as it says: each of its commands runs, and its proof holds for a program with the real SDK. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents, skillName } from '../server/src/web/agents/documents.ts';
import { Server } from '../server/test/harness.ts';

let server: Server;
let skill: string;
beforeAll(async () => {
  server = await Server.create();
  skill = await (await fetch(`${server.url}/skills/${skillName}/SKILL.md`)).text();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const blocks = (language: string): string[] =>
  [...skill.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

/** What curl would print, with these variables in the environment. */
async function curl(command: string, variables: Readonly<Record<string, string>>): Promise<Response> {
  const filled = command.replaceAll(/\$([A-Z_]+)/g, (_all, name: string) => variables[name] ?? `no ${name}`);
  const [, header = '', value = '', url = ''] = /^curl -sS -H "([^:]+): ([^"]+)" "([^"]+)"\n$/.exec(filled) ?? [];
  return fetch(url, { headers: { [header]: value } });
}

interface Shown {
  readonly title: string;
  readonly release: { readonly version: string };
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly entries: readonly { readonly type: string; readonly data: { readonly values?: readonly Thrown[] } }[];
}
interface Thrown {
  readonly stacktrace: {
    readonly frames: readonly {
      readonly filename: string;
      readonly lineNo: number;
      readonly inApp: boolean;
      readonly context: readonly [number, string][];
    }[];
  };
}

test('what its commands ask for is there, and the event of its proof is what it says', async () => {
  const { organization, project, token } = server.installed;
  const [exports = '', organizations = '', projects = '', keys = '', event = '', outcomes = ''] = blocks('sh');
  expect(exports).toContain(`CULPRIT_URL=${server.url}\n`);
  const variables = {
    CULPRIT_URL: server.url,
    CULPRIT_TOKEN: token,
    CULPRIT_ORG: organization,
    CULPRIT_PROJECT: project,
  };
  const json = async <T>(command: string, more: Readonly<Record<string, string>> = {}): Promise<T> => {
    const answer = await curl(command, { ...variables, ...more });
    expect(answer.status, command).toBe(200);
    return (await answer.json()) as T;
  };
  expect(await json(organizations)).toMatchObject([{ slug: organization }]);
  expect(await json(projects)).toContainEqual(expect.objectContaining({ slug: project }));
  const [key] = await json<{ dsn: { public: string } }[]>(keys);
  expect(key?.dsn.public).toBe(server.installed.dsn);

  // Beside this file, where the SDK is found.
  const dir = await mkdtemp(join(fileURLToPath(new URL('.', import.meta.url)), 'skill-'));
  try {
    const program = [
      `import * as Sentry from '@sentry/node';`,
      `Sentry.init({ dsn: process.env.SENTRY_DSN, environment: 'proof', release: 'shop@1.2.3' });`,
      ...blocks('js').map((block) => block.trimEnd()),
      '',
    ].join('\n');
    await writeFile(join(dir, 'proof.mjs'), program);
    const child = spawn(process.execPath, [join(dir, 'proof.mjs')], {
      env: { ...process.env, SENTRY_DSN: key?.dsn.public },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await once(child, 'close');
    const id = printed.trim();
    expect(id).toMatch(/^[0-9a-f]{32}$/);

    const ask = () => curl(event, { ...variables, EVENT_ID: id });
    await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(200);
    const shown = (await (await ask()).json()) as Shown;
    expect(shown.title).toMatch(/^Error: culprit proof [\da-f-]{36}$/);
    const frames = shown.entries.flatMap(
      ({ data }) => data.values?.flatMap(({ stacktrace }) => stacktrace.frames) ?? [],
    );
    const last = frames.filter(({ inApp }) => inApp).at(-1);
    expect(last?.filename).toContain('proof.mjs');
    expect(last?.context.find(([line]) => line === last.lineNo)?.[1]).toContain('culprit proof');
    expect(shown.release.version).toBe('shop@1.2.3');
    expect(shown.tags).toContainEqual(expect.objectContaining({ key: 'environment', value: 'proof' }));
    expect(JSON.stringify(await json(outcomes))).toContain('accepted');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

test('what llms.txt names answers', async () => {
  const answer = await fetch(`${server.url}/llms.txt`);
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const text = await answer.text();
  expect(text).toBe(documents.llms(server.url));
  const { organization, token } = server.installed;
  for (const [, address = ''] of text.matchAll(/\]\((\S+)\)/g)) {
    if (address.includes('{issue}')) continue;
    const url = address.replace('{org}', organization).replace('{text}', 'abc');
    const headers = { authorization: `Bearer ${token}` };
    // The MCP server takes messages alone.
    const { status } = await fetch(url, { headers });
    expect([address, status]).toEqual([address, url.endsWith('/mcp') ? 405 : 200]);
  }
});
