/**
 * Sentry's own MCP server, from npm, with an address and a token: each of its tools, and field by field what it shows against
 * what was sent (`sentry-mcp-rows.ts`).
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientInstallation, type Facts, openClientInstallation } from './client-facts.ts';
import { absent, elsewhere, empty, mostAbsent, rows } from './sentry-mcp-rows.ts';

type Json = Readonly<Record<string, unknown>>;

let installation: ClientInstallation;
let facts: Facts;
let client: Client;
/** What can be called by name; all others through `execute_sentry_tool`. */
let direct: ReadonlySet<string>;

const program = fileURLToPath(new URL('../node_modules/@sentry/mcp-server/dist/index.js', import.meta.url));

beforeAll(async () => {
  installation = await openClientInstallation();
  ({ facts } = installation);
  client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        program,
        `--access-token=${installation.server.installed.token}`,
        `--host=${new URL(installation.url).host}`,
        '--insecure-http',
        '--all-skills',
        // Its own reports of failures.
        '--sentry-dsn=',
      ],
      env: { ...installation.environment },
      stderr: 'ignore',
    }),
  );
  direct = new Set((await client.listTools()).tools.map(({ name }) => name));
}, 180_000);
afterAll(async () => {
  await client?.close();
  await installation?.[Symbol.asyncDispose]();
});

async function use(tool: string, given: Json) {
  const call = direct.has(tool)
    ? { name: tool, arguments: { ...given } }
    : { name: 'execute_sentry_tool', arguments: { name: tool, arguments: given } };
  const { content, structuredContent, isError } = await client.callTool(call);
  const parts = content as {
    type: string;
    text?: string;
    data?: string;
    resource?: { text?: string; blob?: string };
  }[];
  const text = parts.map((one) => one.text ?? one.resource?.text ?? one.resource?.blob ?? one.data ?? '').join('\n');
  return { text, data: structuredContent, isError: isError === true };
}

describe('each tool shows what was sent', () => {
  test.each([...rows, ...empty].map((row, index) => [`${index + 1} ${row.tool}`, row] as const))(
    '%s',
    async (_, { tool, given, shows, has }) => {
      const { text, data, isError } = await use(tool, given(facts));
      expect(isError, text).toBe(false);
      for (const one of shows?.(facts) ?? []) expect(text).toMatch(one instanceof RegExp ? one : literally(one));
      if (has) expect(data, text).toMatchObject(has(facts));
    },
  );
});

describe('what Culprit does not have is said in a sentence', () => {
  test.each(Object.entries(absent))('%s', async (tool, [given, says]) => {
    const { text, isError } = await use(tool, given);
    expect(isError).toBe(true);
    expect(text).toContain(says);
  });
});

test('every tool is in one of the lists, and the list of absent ones does not grow', async () => {
  const words = [
    'issue',
    'project',
    'find',
    'get',
    'search',
    'update',
    'create',
    'delete',
    'sentry',
    'agent',
    'snapshot',
  ];
  const found = new Set<string>();
  for (const query of words) {
    const { data } = await use('search_sentry_tools', { query, limit: 20 });
    for (const { name } of (data as { results: { name: string }[] }).results) found.add(name);
  }
  const listed = [...rows, ...empty].map(({ tool }) => tool);
  expect([...found].filter((name) => ![...listed, ...Object.keys(absent), ...elsewhere].includes(name))).toEqual([]);
  expect(Object.keys(absent).length).toBeLessThanOrEqual(mostAbsent);
  for (const tool of Object.keys(absent)) expect(listed).not.toContain(tool);
});

test('nothing else that it asked for was missing', () => {
  const missing = installation.requests
    .filter(({ status }) => status >= 400)
    .map(({ method, path }) => `${method} ${path}`);
  const known =
    /\/(?:dashboards|monitors\/nightly|uptime|replays?|replay-count|profiling|autofix|preprodartifacts|agents)\//;
  expect(missing.filter((one) => !known.test(one))).toEqual([]);
});

test('it looked up and called nothing but 127.0.0.1', async () => {
  expect(await installation.outside()).toBe('');
});

const literally = (text: string): RegExp => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
