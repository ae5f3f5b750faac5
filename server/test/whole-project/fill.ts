/** A project with something of all that one can have. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { makeBundle, makeZip, sha1 } from '../../src/domains/artifacts/testing/bundle.ts';
import { envelopeUrl, errorEnvelope, newEventId, owner, type Server } from '../harness.ts';

export interface Filled {
  /** Of its errors, in the order in which they were sent; the first has a file of 50 kB. */
  readonly eventIds: readonly string[];
  readonly debugIds: { readonly script: string; readonly mapping: string };
}

export async function post(dsn: string, body: string): Promise<void> {
  const response = await fetch(envelopeUrl(dsn), { method: 'POST', body });
  expect(response.status, await response.clone().text()).toBe(200);
}

/** An error of one of three bugs, which are told apart by their type. */
export const bug = (id: string, number: number): string =>
  errorEnvelope(id, {
    exception: { values: [{ type: `Error${number}`, value: `broken ${number}` }] },
    user: { id: String(number) },
    release: 'shop@1.0.0',
  });

/** Errors in built code: of a browser's script, and of a program that was obfuscated. */
export function builtErrors({ script, mapping }: Filled['debugIds']): readonly { id: string; body: string }[] {
  const at = (frame: object) => ({ frames: [{ in_app: true, ...frame }] });
  const url = 'https://shop.example/assets/shop.js';
  const events = [
    {
      platform: 'javascript',
      exception: {
        values: [{ type: 'BuiltError', value: 'x', stacktrace: at({ abs_path: url, lineno: 1, colno: 10 }) }],
      },
      debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: script }] },
    },
    {
      platform: 'java',
      exception: {
        values: [
          {
            type: 'c',
            module: 'a',
            value: 'y',
            stacktrace: at({ module: 'a.b', function: 'a', filename: 'SourceFile', lineno: 1 }),
          },
        ],
      },
      debug_meta: { images: [{ type: 'proguard', uuid: mapping }] },
    },
  ];
  return events.map((event) => {
    const id = newEventId();
    return { id, body: errorEnvelope(id, event) };
  });
}

async function sendTelemetry(dsn: string): Promise<void> {
  const now = Date.now() / 1000;
  const traceId = newEventId();
  const transaction = {
    type: 'transaction',
    event_id: newEventId(),
    transaction: 'GET /cart',
    start_timestamp: now - 1,
    timestamp: now,
    platform: 'node',
    contexts: { trace: { trace_id: traceId, span_id: '0123456789abcdef', op: 'http.server' } },
    spans: [],
  };
  const { event_id } = transaction;
  await post(dsn, `{"event_id":"${event_id}"}\n{"type":"transaction"}\n${JSON.stringify(transaction)}\n`);
  const session = { sid: newEventId(), init: true, started: new Date().toISOString(), status: 'ok', errors: 0 };
  const attrs = { release: 'shop@1.0.0', environment: 'production' };
  await post(dsn, `{}\n{"type":"session"}\n${JSON.stringify({ ...session, attrs })}\n`);
  const items = ['paid', 'refused'].map((body, index) => ({
    timestamp: now + index / 1000,
    trace_id: traceId,
    level: index === 0 ? 'info' : 'error',
    body: `card ${body}`,
    attributes: {
      'cart.total': { value: 12.5, type: 'double' },
      'shop.place': { value: 'Zürich', type: 'string' },
    },
  }));
  const logs = JSON.stringify({ items });
  const header = { type: 'log', item_count: 2, content_type: 'application/vnd.sentry.items.log+json' };
  await post(dsn, `{}\n${JSON.stringify({ ...header, length: Buffer.byteLength(logs) })}\n${logs}\n`);
}

/** A source map by its script's debug id, and a mapping of ProGuard, as build tools upload them. */
async function upload(server: Server, slug: string): Promise<Filled['debugIds']> {
  const debugIds = { script: randomUUID(), mapping: randomUUID() };
  const authorization = `Bearer ${server.installed.token}`;
  const send = async (path: string, init: RequestInit): Promise<unknown> => {
    const headers = { authorization, ...init.headers };
    const response = await fetch(`${server.url}/api/0${path}`, { ...init, method: 'POST', headers });
    expect(response.ok, await response.clone().text()).toBe(true);
    return response.json().catch(() => undefined);
  };
  const file = (name: string, bytes: Uint8Array): FormData => {
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(bytes)]), name);
    return form;
  };
  const bundle = makeBundle([{ name: 'shop.js', debugId: debugIds.script }]);
  const checksum = sha1(bundle);
  await send('/organizations/acme/chunk-upload/', { body: file(checksum, bundle) });
  const body = JSON.stringify({ checksum, chunks: [checksum], projects: [slug] });
  const mapping = '# of shop\ncom.example.Cart -> a.b:\n    1:1:void order():6:6 -> a\n';
  const zip = makeZip([{ name: `proguard/${debugIds.mapping}.txt`, content: mapping }], { head: Buffer.alloc(0) });
  await send(`/projects/acme/${slug}/files/dsyms/`, { body: file('mappings.zip', zip) });
  await server.until('the uploads are indexed', async () => {
    const headers = { 'content-type': 'application/json' };
    const assembled = await send('/organizations/acme/artifactbundle/assemble/', { body, headers });
    const files = await server.api<{ state: string }[]>(`/projects/acme/${slug}/files/dsyms/`);
    return (assembled as { state: string }).state === 'ok' && files.every(({ state }) => state === 'ok');
  });
  return debugIds;
}

async function decide(server: Server, slug: string, projectId: number): Promise<void> {
  const make = (path: string, body: object) => server.api(path, { method: 'POST', body: JSON.stringify(body) });
  const projectIds = [String(projectId)];
  const rule = { kind: 'issue', projectIds, name: 'Loud', query: 'level:error', owner: null };
  const conditions = [{ type: 'event_frequency', count: 50, minutes: 60 }];
  await make('/organizations/acme/alert-rules/', { ...rule, conditions, throttleMinutes: 120 });
  const searches = [
    { name: 'Checkout', type: 'issues', query: 'is:unresolved broken', visibility: 'organization', isPinned: true },
    { name: 'Slow', type: 'explore', query: 'duration:>500ms', visibility: 'owner', state: { table: 'spans' } },
  ];
  for (const search of searches) await make('/organizations/acme/searches/', search);
  const ownership = { method: 'PUT', body: JSON.stringify({ raw: `path:src/cart/* ${owner.email}` }) };
  await server.api(`/projects/acme/${slug}/ownership/`, ownership);
  const [issue] = await server.until('the issues are there', async () => {
    const list = await server.api<readonly { id: string }[]>(`/projects/acme/${slug}/issues/?query=Error1&limit=100`);
    return list.length > 0 && list;
  });
  const change = { status: 'resolved', assignedTo: owner.email };
  await server.api(`/organizations/acme/issues/${issue?.id}/`, { method: 'PUT', body: JSON.stringify(change) });
  await make(`/issues/${issue?.id}/comments/`, { text: 'looked at it' });
}

/** Resolves once all of it is stored. */
export async function fillProject(server: Server, slug: string, dsn: string, projectId: number): Promise<Filled> {
  const debugIds = await upload(server, slug);
  const eventIds = Array.from({ length: 30 }, newEventId);
  await Promise.all(eventIds.map((id, number) => post(dsn, bug(id, number % 3))));
  const text = 'x'.repeat(50_000);
  const attachment = JSON.stringify({ type: 'attachment', length: text.length, filename: 'a.log' });
  await post(dsn, `{"event_id":"${eventIds[0]}"}\n${attachment}\n${text}\n`);
  await sendTelemetry(dsn);
  await server.drained();
  await decide(server, slug, projectId);
  return { eventIds, debugIds };
}
