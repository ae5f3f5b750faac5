import { describe, expect, it } from 'vitest';
import { listFixtures, readFixture } from '../../../fixtures/index.ts';
import {
  isContainer,
  itemQuantity,
  itemType,
  parseDsn,
  parseEnvelope,
  parseEventId,
  readAuth,
  serializeEnvelope,
} from './index.ts';

const names = listFixtures();

it('has fixtures of every SDK', () => {
  expect([...new Set(names.map((name) => name.split('/', 1)[0]))]).toEqual([
    'browser-10',
    'browser-11',
    'node-10',
    'node-11',
    'react-10',
    'react-11',
  ]);
});

describe.each(names)('%s', (name) => {
  const { meta, bytes } = readFixture(name);
  const { header, items } = parseEnvelope(bytes);

  it('parses into the items that were recorded, none of them unknown or too large', () => {
    expect(items.map((item) => item.type)).toEqual(meta.items);
    expect(items.length).toBeGreaterThan(0);
    for (const { type, header: itemHeader, payload } of items) {
      const known = itemType(type);
      expect(known.known).toBe(true);
      expect(payload.length).toBeLessThanOrEqual(known.maxBytes);
      expect(payload.buffer).toBe(bytes.buffer);
      if (known.needsEventId) expect(parseEventId(header['event_id'])).toBeDefined();
      if (!isContainer(known, itemHeader)) continue;
      const { items: entries } = JSON.parse(new TextDecoder().decode(payload)) as { items: unknown[] };
      expect(itemQuantity(known, itemHeader)).toBe(entries.length);
    }
  });

  it('carries a key that is found', () => {
    const query = meta.path.slice(meta.path.indexOf('?'));
    expect(readAuth({ query, dsn: header['dsn'] })).toMatchObject({
      ok: true,
      auth: { publicKey: '0123456789abcdef0123456789abcdef', version: 7 },
    });
    if (header['dsn'] !== undefined) expect(parseDsn(header['dsn'])?.projectId).toBe('1');
  });

  it('survives being written and read again', () => {
    const again = parseEnvelope(serializeEnvelope(header, items));
    expect(again.header).toEqual(header);
    expect(again.items.map(({ payload }) => Buffer.from(payload).toString('latin1'))).toEqual(
      items.map(({ payload }) => Buffer.from(payload).toString('latin1')),
    );
  });
});
