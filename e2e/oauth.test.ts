/**
 * Apps are let in by a person: an agent with the client of the official MCP library, and the CLI `sentry`, each as its user
 * would have it. What the pages ask, what is granted of it, and what is revoked.
 */
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let home: string;

beforeAll(async () => {
  [server, browser, home] = await Promise.all([
    Server.create({}, { clock: true }),
    launchChromium(),
    mkdtemp(join(tmpdir(), 'culprit-oauth-')),
  ]);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

/** An agent on this machine, which waits where the browser is sent back to. */
async function startAgent() {
  let arrived: (url: URL) => void;
  const arrival = new Promise<URL>((resolve) => (arrived = resolve));
  const loopback = createServer((request, answer) => {
    arrived(new URL(request.url ?? '/', 'http://127.0.0.1'));
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<title>Agent</title>Back at the agent.');
  }).listen(0, '127.0.0.1');
  await once(loopback, 'listening');
  const { port } = loopback.address() as AddressInfo;
  const known: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; page?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: `http://127.0.0.1:${port}/back`,
    clientMetadata: {
      client_name: 'Test agent',
      redirect_uris: [`http://127.0.0.1:${port}/back`],
      token_endpoint_auth_method: 'none',
    },
    state: () => '12345',
    clientInformation: () => known.client,
    saveClientInformation: (client) => void (known.client = client),
    tokens: () => known.tokens,
    saveTokens: (tokens) => void (known.tokens = tokens),
    redirectToAuthorization: (url) => void (known.page = url),
    saveCodeVerifier: (verifier) => void (known.verifier = verifier),
    codeVerifier: () => known.verifier ?? '',
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: provider });
  return { known, provider, transport, arrival, [Symbol.dispose]: () => void loopback.close() };
}

interface Token {
  readonly id: string;
  readonly name: string;
  readonly scopes: string[];
  readonly isGranted: boolean;
}
const tokens = () => server.api<Token[]>('/organizations/acme/api-tokens/');

describe.sequential('an agent', () => {
  let agent: Awaited<ReturnType<typeof startAgent>>;
  let client: Client;
  beforeAll(async () => {
    agent = await startAgent();
  });
  afterAll(async () => {
    await client?.close();
    agent?.[Symbol.dispose]();
  });

  test('is told where to ask, registers itself, and sends its user to a page that asks', async () => {
    client = new Client({ name: 'test', version: '1' });
    await expect(client.connect(agent.transport())).rejects.toThrow('Unauthorized');
    const url = agent.known.page!;
    expect(url.origin + url.pathname).toBe(`${server.url}/oauth/authorize`);
    expect(url.searchParams.get('scope')).toBe('org:read project:read member:read event:read event:write');
    await page.goto(url.href);
    // Who is not signed in does so first, and comes back to the same question.
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Authorize Test agent' }).waitFor();
    await page.getByText('You will return to an app on this computer.').waitFor();
    await lookAt(page, 'oauth-authorize');
  });

  test('gets what the person grants of it, and works with that', async () => {
    await page.getByRole('checkbox', { name: 'Resolve, archive and change issues' }).uncheck();
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const back = await agent.arrival;
    expect(back.searchParams.get('state')).toBe('12345');
    expect(back.searchParams.get('iss')).toBe(server.url);
    const transport = agent.transport();
    await transport.finishAuth(back.searchParams.get('code')!);
    await client.connect(agent.transport());
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(5);
    // It may not write.
    expect(tools.filter(({ annotations }) => annotations?.destructiveHint)).toEqual([]);
    expect(agent.known.tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 28_800,
      scope: 'org:read project:read member:read event:read',
    });
    expect((await tokens()).find(({ name }) => name === 'Test agent')).toMatchObject({
      isGranted: true,
      scopes: ['org:read', 'project:read', 'member:read', 'event:read'],
    });
  });

  test('renews its token by itself, and stays one line in the list', async () => {
    const before = agent.known.tokens!;
    await server.moveClock(9 * 3_600_000);
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    expect(agent.known.tokens!.access_token).not.toBe(before.access_token);
    expect((await tokens()).filter(({ name }) => name === 'Test agent')).toHaveLength(1);
    // Who has the refresh token of then has stolen it, or the agent has: nobody goes on with it.
    await server.moveClock(120_000);
    const stolen = await fetch(`${server.url}/oauth/token/`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: before.refresh_token!,
        client_id: agent.known.client!.client_id,
      }),
    });
    expect(stolen.status).toBe(400);
    expect(await stolen.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await tokens()).filter(({ name }) => name === 'Test agent')).toEqual([]);
    expect(JSON.stringify(await server.api('/organizations/acme/audit-log/'))).toContain('used twice');
  });

  test('who does not agree sends it away', async () => {
    using other = await startAgent();
    expect(await auth(other.provider, { serverUrl: `${server.url}/mcp` })).toBe('REDIRECT');
    await page.goto(other.known.page!.href);
    await page.getByRole('button', { name: 'Deny' }).click();
    const back = await other.arrival;
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect((await tokens()).filter(({ isGranted }) => isGranted)).toEqual([]);
  });

  test('an address that it did not register is not gone to', async () => {
    using other = await startAgent();
    await auth(other.provider, { serverUrl: `${server.url}/mcp` });
    const url = other.known.page!;
    url.searchParams.set('redirect_uri', 'https://127.0.0.1/stolen');
    await page.goto(url.href);
    await page.getByRole('heading', { name: 'This request is not valid' }).waitFor();
    await page.getByText('an address that it did not register').waitFor();
  });
});

describe.sequential('the CLI sentry', () => {
  const program = fileURLToPath(new URL('../node_modules/sentry/dist/bin.cjs', import.meta.url));
  const preload = fileURLToPath(new URL('loopback-only.ts', import.meta.url));
  const run = (words: readonly string[]) => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: home,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        NO_COLOR: '1',
        NODE_OPTIONS: `--import=${preload}`,
        CULPRIT_TEST_OUTSIDE: join(home, 'outside'),
        SENTRY_CONFIG_DIR: join(home, 'config'),
        SENTRY_CLI_NO_TELEMETRY: '1',
        SENTRY_CLI_NO_UPDATE_CHECK: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (said.text += chunk.toString()));
    return { said, ended: once(child, 'close') as Promise<[number]> };
  };

  test('signs in by a code that its user types', async () => {
    const login = run(['auth', 'login', '--url', server.url]);
    const code = await server.until('it shows a code', async () => /\b[B-Z]{4}-[B-Z]{4}\b/.exec(login.said.text)?.[0]);
    await page.goto(`${server.url}/oauth/device`);
    const field = page.getByLabel('Code');
    await field.fill('bcdf ghjk');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('No device waits with this code.').waitFor();
    await lookAt(page, 'oauth-device');
    // As people type it.
    await field.fill(code.toLowerCase().replace('-', ' '));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Authorize Sentry CLI' }).waitFor();
    await page.getByText(`Your device must show ${code}`).waitFor();
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.getByRole('heading', { name: 'Sentry CLI is connected' }).waitFor();
    expect((await login.ended)[0], login.said.text).toBe(0);
    expect(login.said.text).toContain(owner.email);

    const who = run(['auth', 'whoami', '--json']);
    expect((await who.ended)[0], who.said.text).toBe(0);
    expect(who.said.text).toContain(owner.email);
    const projects = run(['project', 'list', '--json']);
    expect((await projects.ended)[0], projects.said.text).toBe(0);
    expect(projects.said.text).toContain('"slug": "web"');
  });

  test('is out once its token is revoked', async () => {
    await page.goto(`${server.url}/settings/tokens`);
    await page.getByText('Sentry CLI').first().waitFor();
    await page.getByText('granted to an app', { exact: false }).first().waitFor();
    const [token] = (await tokens()).filter(({ isGranted }) => isGranted);
    await server.api(`/organizations/acme/api-tokens/${token!.id}/`, { method: 'DELETE' }).catch(() => undefined);
    const who = run(['project', 'list', '--json', '--fresh']);
    expect((await who.ended)[0], who.said.text).not.toBe(0);
    const entries = await server.api<{ entries?: unknown[] }>('/organizations/acme/audit-log/');
    expect(JSON.stringify(entries)).toContain('token.authorize');
  });
});
