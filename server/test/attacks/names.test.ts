/** Whoever has a public key invents names by the thousand; what is real keeps its place, and a new one finds one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeBundle, sha1 } from '../../src/domains/artifacts/testing/bundle.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create({}, { clock: true });
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const org = '/organizations/acme';
/** One more than a project kept of what events named, when they could shut out what is real. */
const invented = 20_300;

async function send(body: string): Promise<void> {
  const response = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  expect(response.status).toBe(200);
}

/** Sessions are the cheapest way to name releases: a hundred in an envelope. */
function sessions(release: (index: number) => string, environment: (index: number) => string, count: number): string {
  const started = new Date(server.now()).toISOString();
  const items = Array.from({ length: count }, (_, index) => {
    const attrs = { release: release(index), environment: environment(index) };
    const session = { sid: crypto.randomUUID(), started, timestamp: started, init: true, status: 'ok', attrs };
    return `{"type":"session"}\n${JSON.stringify(session)}`;
  });
  return `{}\n${items.join('\n')}\n`;
}

async function flood(release: (index: number) => string, environment: (index: number) => string, count: number) {
  for (let from = 0; from < count; from += 100) {
    await send(
      sessions(
        (index) => release(from + index),
        (index) => environment(from + index),
        Math.min(100, count - from),
      ),
    );
  }
  await server.drained();
}

const event = (release: string, environment = 'production') =>
  send(errorEnvelope(newEventId(), { release, environment, timestamp: server.now() / 1000 }));

const isListed = async (version: string): Promise<boolean> => {
  const path = `/api/0${org}/releases/${encodeURIComponent(version)}/`;
  const headers = { authorization: `Bearer ${server.installed.token}` };
  return (await fetch(server.url + path, { headers })).ok;
};

const releases = async () => {
  const headers = { authorization: `Bearer ${server.installed.token}` };
  const found: { version: string; environments: string[] }[] = [];
  let path: string | undefined = `/api/0${org}/releases/?limit=100`;
  let leftOut: string | null = null;
  while (path) {
    const response: Response = await fetch(server.url + path, { headers });
    leftOut = response.headers.get('x-culprit-left-out');
    found.push(...((await response.json()) as typeof found));
    const next = /<([^>]+)>; rel="next"; results="true"/.exec(response.headers.get('link') ?? '')?.[1];
    path = next && new URL(next).pathname + new URL(next).search;
  }
  return { found, leftOut };
};

test('invented releases leave room for one that an event brings, by itself', { timeout: 180_000 }, async () => {
  await event('known@1.0.0');
  await server.drained();
  await server.moveClock(120_000);
  await flood(
    (index) => `fake@0.0.${index}`,
    () => 'production',
    invented,
  );
  // The first event is stored like any other; the name is listed once it comes again.
  await server.until('the real release is listed', async () => {
    await event('real@2.0.0');
    return isListed('real@2.0.0');
  });
  expect(await isListed('known@1.0.0')).toBe(true);
  const { found, leftOut } = await releases();
  expect(found.length).toBeLessThan(600);
  expect(Number(/releases=(\d+)/.exec(leftOut ?? '')?.[1])).toBeGreaterThan(15_000);
  const [issue] = await server.api<{ count: string }[]>('/projects/acme/web/issues/?query=release:real@2.0.0');
  expect(Number(issue?.count)).toBeGreaterThan(0);
});

test('where no room is, inventions take no place, and few of those that are sent twice', async () => {
  const send200 = async (): Promise<number> => {
    await flood(
      (index) => `twice@0.0.${index}`,
      () => 'production',
      200,
    );
    await server.moveClock(2_000);
    const { found } = await releases();
    return found.filter(({ version }) => version.startsWith('twice@')).length;
  };
  // What is sure by now has left a place or two.
  expect(await send200()).toBeLessThan(5);
  expect(await send200()).toBeLessThan(50);
});

test('what was uploaded for, or named in another project, is there with its first event', async () => {
  await server.api(`${org}/projects/`, { method: 'POST', body: JSON.stringify({ name: 'Other' }) });
  await server.api(`${org}/releases/`, {
    method: 'POST',
    body: JSON.stringify({ version: 'named@4.0.0', projects: ['other'] }),
  });
  const bundle = makeBundle();
  const checksum = sha1(bundle);
  const chunks = new FormData();
  chunks.append('file', new Blob([new Uint8Array(bundle)]), checksum);
  const headers = { authorization: `Bearer ${server.installed.token}` };
  const sent = await fetch(`${server.url}/api/0${org}/chunk-upload/`, { method: 'POST', headers, body: chunks });
  expect(sent.status).toBe(200);
  await server.until('the bundle is assembled', async () => {
    const { state } = await server.api<{ state: string }>(`${org}/artifactbundle/assemble/`, {
      method: 'POST',
      body: JSON.stringify({ checksum, chunks: [checksum], projects: ['web'], version: 'uploaded@4.0.0' }),
    });
    return state === 'ok';
  });
  for (const version of ['named@4.0.0', 'uploaded@4.0.0']) {
    await event(version);
    await server.drained();
    const { projects } = await server.api<{ projects: { slug: string }[] }>(`${org}/releases/${version}/`);
    expect(projects.map(({ slug }) => slug)).toContain('web');
  }
});

test('what the API makes and a deploy names is there, with its environment', async () => {
  await server.api(`${org}/releases/`, {
    method: 'POST',
    body: JSON.stringify({ version: 'deployed@3.0.0', projects: ['web'] }),
  });
  await server.api(`${org}/releases/deployed@3.0.0/deploys/`, {
    method: 'POST',
    body: JSON.stringify({ environment: 'production-eu' }),
  });
  await flood(
    () => 'deployed@3.0.0',
    (index) => `invented-${index}`,
    300,
  );
  await event('deployed@3.0.0', 'production-eu');
  await server.drained();
  const eu = await server.api<{ version: string }[]>(`${org}/releases/?environment=production-eu`);
  expect(eu.map(({ version }) => version)).toEqual(['deployed@3.0.0']);
  const fakes = await server.api<{ version: string }[]>(`${org}/releases/?environment=invented-299`);
  expect(fakes).toEqual([]);
  // One that nobody deployed to finds a place as well, once it comes again.
  await server.until('the real environment is listed', async () => {
    await event('deployed@3.0.0', 'staging-eu');
    const staging = await server.api<{ version: string }[]>(`${org}/releases/?environment=staging-eu`);
    return staging.some(({ version }) => version === 'deployed@3.0.0');
  });
});

test('invented tags and transactions leave those in the lists that events carry often', async () => {
  const inventTags = async (of: string): Promise<void> => {
    for (let sent = 0; sent < 130; sent += 1) {
      const tags = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${of}.${sent}.${index}`, 'x']));
      await send(errorEnvelope(newEventId(), { tags, fingerprint: ['flood'], timestamp: server.now() / 1000 }));
    }
    await server.drained();
  };
  // Weeks are stored apart: what is real does not lie among inventions, and wherever reading begins, all places are taken when it comes.
  const week = 7 * 24 * 3_600_000;
  await inventTags('before');
  await server.moveClock(week);
  for (let sent = 0; sent < 10; sent += 1) {
    await send(errorEnvelope(newEventId(), { tags: { plan: 'paid' }, timestamp: server.now() / 1000 }));
  }
  await server.moveClock(week);
  await inventTags('after');
  const transaction = (name: string): string => {
    const now = server.now() / 1000;
    const trace = { trace_id: newEventId(), span_id: newEventId().slice(0, 16), op: 'http.server' };
    const one = {
      type: 'transaction',
      transaction: name,
      start_timestamp: now - 1,
      timestamp: now,
      contexts: { trace },
    };
    return `{}\n{"type":"transaction"}\n${JSON.stringify({ ...one, event_id: newEventId() })}\n`;
  };
  // Ids in names are put together.
  const words = (index: number): string =>
    String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
  for (let sent = 0; sent < 300; sent += 1) await send(transaction(`/${words(sent)}`));
  for (let sent = 0; sent < 5; sent += 1) await send(transaction('/checkout'));
  await server.drained();
  const tags = await server.api<{ key: string }[]>(`${org}/tags/?dataset=events&statsPeriod=30d`);
  expect(tags.map(({ key }) => key)).toContain('plan');
  const listed = await server.api<{ transaction: string }[]>(`${org}/transactions/?statsPeriod=1h&sort=count&limit=5`);
  expect(listed.map(({ transaction: name }) => name)).toEqual([
    '/checkout',
    ...Array.from({ length: 4 }, () => expect.any(String)),
  ]);
});
