/** Real traffic of unmodified clients: present in the development set-up only. The package's own tests do not need it. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  EnvelopeError,
  type Item,
  isContainer,
  itemQuantity,
  itemType,
  parseEnvelope,
  serializeEnvelope,
} from './index.ts';

interface Meta {
  readonly name: string;
  readonly body?: {
    readonly file: string;
    readonly sha256: string;
    readonly contentEncoding?: string;
    readonly envelopeItems?: string[];
  };
}

const captures = join(import.meta.dirname, '../../../../shared/fixtures/captures');
const present = existsSync(captures);
if (!present) console.warn('captures of real traffic are absent: parsing them and their truncations was left out');

function* envelopes(): Generator<{ name: string; expected: string[]; bytes: Uint8Array }> {
  for (const path of globSync(join(captures, '*/*.http.json')).sort()) {
    const { name, body } = JSON.parse(readFileSync(path, 'utf8')) as Meta;
    if (!body?.envelopeItems) continue;
    const stored = readFileSync(join(dirname(path), body.file));
    expect(createHash('sha256').update(stored).digest('hex')).toBe(body.sha256);
    yield {
      name,
      expected: body.envelopeItems,
      bytes: body.contentEncoding === 'gzip' ? gunzipSync(stored) : stored,
    };
  }
}

/** As the captures name items: containers with the number of their entries. */
function label({ type, header }: Item): string {
  return isContainer(itemType(type), header) ? `${type}(${itemQuantity(itemType(type), header)})` : type;
}

describe.skipIf(!present)('captures', () => {
  it('parse into the item types that were sent, all of them known', () => {
    let count = 0;
    for (const { name, expected, bytes } of envelopes()) {
      const { items } = parseEnvelope(bytes);
      expect([name, ...items.map(label)]).toEqual([name, ...expected]);
      for (const item of items) {
        expect(itemType(item.type).known).toBe(true);
        expect(item.payload.buffer).toBe(bytes.buffer);
        expect(item.payload.length).toBeLessThanOrEqual(itemType(item.type).maxBytes);
      }
      count++;
    }
    expect(count).toBeGreaterThan(200);
  });

  it('survive being written and read again', () => {
    for (const { bytes } of envelopes()) {
      const before = parseEnvelope(bytes);
      const after = parseEnvelope(serializeEnvelope(before.header, before.items));
      expect(after.header).toEqual(before.header);
      expect(after.items.map((item) => Buffer.from(item.payload).toString('base64'))).toEqual(
        before.items.map((item) => Buffer.from(item.payload).toString('base64')),
      );
    }
  });

  it('parse or are refused with an EnvelopeError when cut anywhere', () => {
    for (const { bytes } of envelopes()) {
      const step = Math.max(1, Math.floor(bytes.length / 150));
      for (let end = 0; end < bytes.length; end += end < 100 ? 1 : step) {
        try {
          parseEnvelope(bytes.subarray(0, end));
        } catch (error) {
          expect(error).toBeInstanceOf(EnvelopeError);
        }
      }
    }
  });
});
