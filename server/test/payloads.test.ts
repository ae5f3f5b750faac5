/** Whole events in segments beside the rows: found, packed, erased with their issue, and dropped when they are old. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpenSegment } from '../src/ports/payloads/open-segment.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let server: Server;
beforeAll(async () => {
  server = await Server.create({}, { clock: true });
});
afterAll(() => server?.[Symbol.asyncDispose]());

const org = (): string => `/organizations/${server.installed.organization}`;
const root = (): string => join(server.dataDir, 'payloads');

async function fail(bug: string): Promise<string> {
  const eventId = newEventId();
  const frames = [{ filename: '/app/a.js', function: bug, lineno: 1, in_app: true }];
  const values = [{ type: `${bug}Error`, value: `of ${bug}`, stacktrace: { frames } }];
  const body = errorEnvelope(eventId, { exception: { values }, extra: { told: `a secret of ${bug}` } });
  expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).status).toBe(200);
  return eventId;
}

async function filesOf(kind: string): Promise<string[]> {
  const names = await readdir(root(), { recursive: true });
  return names.filter((name) => name.endsWith(`.${kind}`));
}

/** Everything that can be read of what lies in the segments, whoever may ask. */
async function everything(): Promise<string> {
  const texts: string[] = [];
  for (const name of [...(await filesOf('packed')), ...(await filesOf('index'))]) {
    await using segment = await OpenSegment.open(root(), Number(/(\d+)\.\w+$/.exec(name)?.[1]));
    for (const entry of (await segment?.allEntries()) ?? []) {
      const chunk = entry && (await segment?.chunk(entry.offset));
      for (const { bytes, beside } of chunk ?? []) texts.push(String(Buffer.from(bytes)), String(Buffer.from(beside)));
    }
  }
  return texts.join('\n');
}

async function later(ms: number): Promise<void> {
  await server.stop();
  await server.moveClock(ms);
  await server.start();
}

describe.sequential('payloads', () => {
  const ids: Record<'first' | 'second', string[]> = { first: [], second: [] };

  test('lie beside the rows, and the API gives them', async () => {
    for (let index = 0; index < 8; index++) {
      ids.first.push(await fail('first'));
      ids.second.push(await fail('second'));
      if (index % 3 === 0) await server.drained();
    }
    await server.drained();
    await using events = await server.events();
    const [row] = await events.query<{ inRows: number; places: number }>(
      `SELECT countIf(payload != '') AS inRows, uniqExact(payload_segment, payload_ordinal) AS places FROM errors`,
    );
    expect(row).toEqual({ inRows: 0, places: 16 });
    for (const id of ids.first) expect(await server.api(`${org()}/eventids/${id}/`)).toMatchObject({ eventId: id });
  });

  test('are packed once their segment is left, and stay where they are', async () => {
    await later(20 * minuteMs);
    await server.until('packed', async () => (await filesOf('packed')).length > 0 && !(await filesOf('chunks')).length);
    for (const id of [...ids.first, ...ids.second]) {
      expect(await server.api(`${org()}/eventids/${id}/`)).toMatchObject({ eventId: id });
    }
    expect(await everything()).toContain('a secret of first');
  });

  test('go with their issue, from the disk too', async () => {
    const list = await server.api<{ id: string; title: string }[]>(`${org()}/issues/?limit=10`);
    const gone = list.find(({ title }) => title.startsWith('firstError'))?.id;
    await fetch(`${server.url}/api/0${org()}/issues/?id=${gone}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${server.installed.token}` },
    });
    await later(minuteMs);
    await server.until('erased', async () => (await filesOf('erased')).length > 0);
    await later(6 * minuteMs);
    await server.until('packed again', async () => !(await everything()).includes('a secret of first'));
    expect(await everything()).toContain('a secret of second');
    expect(await everything()).not.toContain('firstError');
    for (const id of ids.second) {
      expect(await server.api(`${org()}/eventids/${id}/`)).toMatchObject({ eventId: id });
    }
    await expect(server.api(`${org()}/eventids/${ids.first[0]}/`)).rejects.toThrow('404');
  });

  test('go when they are past retention', async () => {
    await later(200 * dayMs);
    await server.until('nothing is left', async () => (await readdir(root())).length === 0);
  });
});
