/** A new type of item is a folder, a migration and a record: what else there is of it follows from these. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, Server, useProgram } from './harness.ts';
import { openOwnType, type OwnType } from './own-type.ts';

const dayMs = 86_400_000;

let own: OwnType;
let server: Server;
let project: { readonly id: string; readonly slug: string; readonly dsn: string };

beforeAll(async () => {
  own = await openOwnType();
  useProgram(own.program);
  server = await Server.create();
  const path = `/organizations/${server.installed.organization}/projects/`;
  project = await server.api(path, { method: 'POST', body: JSON.stringify({ name: 'Sensors' }) });
});
afterAll(async () => {
  useProgram();
  await server?.[Symbol.asyncDispose]();
  await own?.[Symbol.asyncDispose]();
});

async function send(...payloads: readonly (object | string)[]): Promise<void> {
  const items = payloads.map((payload) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return `{"type":"reading"}\n${text}\n`;
  });
  const answer = await fetch(envelopeUrl(project.dsn), { method: 'POST', body: `{}\n${items.join('')}` });
  expect(answer.status).toBe(200);
  await server.drained();
}

async function query<Row>(sql: string): Promise<Row[]> {
  await using events = await server.events();
  return events.query<Row>(sql);
}

const valuesOf = async (): Promise<number[]> =>
  (await query<{ value: number }>('SELECT value FROM readings ORDER BY value')).map(({ value }) => value);

describe.sequential('a type of item that three files make', () => {
  test('needs no other, and its types hold', async () => {
    expect([...own.lists].sort()).toEqual([
      'base/tables/all.ts',
      'ports/events/migrations/all.ts',
      'process/items/all.ts',
    ]);
    await own.checkTypes();
  });

  test('is stored, and scrubbed by what its record says of its columns', async () => {
    const at = Date.now() - 1000;
    const note = 'mail ann@example.com, Bearer abcdef0123456789abcdef';
    await send(
      { at, sensor: 'hall', note, value: 1, labels: { password: 'hunter22', floor: '2' } },
      { at: at - 1, sensor: 'hall', value: 2 },
      { at: at - 2, sensor: 'hall', value: 3 },
    );
    expect(await query('SELECT sensor, note, value, labels FROM readings ORDER BY value LIMIT 1')).toEqual([
      {
        sensor: 'hall',
        note: 'mail [email], Bearer [Filtered]',
        value: 1,
        labels: { password: '[Filtered]', floor: '2' },
      },
    ]);
    expect(await valuesOf()).toEqual([1, 2, 3]);
  });

  test('is kept where it cannot be read or stored, and counted as what it ended in', async () => {
    await send('no JSON', { sensor: 'hall', value: 'much' }, { sensor: 'hall', value: 4 });
    expect(await valuesOf()).toEqual([1, 2, 3, 4]);
    const organization = `/organizations/${server.installed.organization}`;
    const items = await server.api<{ type: string; category: string; reason: string }[]>(`${organization}/items/`);
    expect(items.map(({ type, category, reason }) => [type, category, reason]).sort()).toEqual([
      ['reading', 'reading', 'json'],
      ['reading', 'reading', 'store_refused'],
    ]);
    // What the page Health shows.
    const { groups } = await server.api<{ groups: { category: string; reason: string; total: number }[] }>(
      `${organization}/outcomes/`,
    );
    expect(groups.map(({ category, reason, total }) => [category, reason, total]).sort()).toEqual([
      ['reading', '', 4],
      ['reading', 'json', 1],
      ['reading', 'store_refused', 1],
    ]);
  });

  test('is exported', async () => {
    const path = `/organizations/${server.installed.organization}/data-export/`;
    const question = { dataset: 'readings', field: ['project', 'sensor', 'value'] };
    const { id } = await server.api<{ id: string }>(path, { method: 'POST', body: JSON.stringify({ question }) });
    await server.until(
      'the export is done',
      async () => (await server.api<{ status: string }>(`${path}${id}/`)).status === 'done',
    );
    const file = await fetch(`${server.url}/api/0${path}${id}/?download=true`, {
      headers: { authorization: `Bearer ${server.installed.token}` },
    });
    const [head, ...rows] = (await file.text()).trimEnd().split('\r\n');
    expect(head).toBe('project,sensor,value');
    expect(rows.sort()).toEqual(['1', '2', '3', '4'].map((value) => `sensors,hall,${value}`));
  });

  test('is aged out', async () => {
    await send({ at: Date.now() - 100 * dayMs, sensor: 'hall', value: 5 });
    await using events = await server.events();
    await events.command('OPTIMIZE TABLE readings FINAL');
    await expect.poll(valuesOf).toEqual([1, 2, 3, 4]);
  });

  test('is deleted with its project', async () => {
    await server.api(`/projects/${server.installed.organization}/${project.slug}/`, { method: 'DELETE' }).catch(
      // The answer has no body.
      (error: unknown) => expect(error).toBeInstanceOf(SyntaxError),
    );
    await expect.poll(valuesOf).toEqual([]);
  });
});
