/** Entries for tests. */
import { createHash } from 'node:crypto';
import { EntryList } from '../entries.ts';
import type { IndexedEvent } from '../event-index.ts';

export const hex = (text: string): string => createHash('md5').update(text).digest('hex');

export const indexed = (name: string, fields: Partial<IndexedEvent> = {}): IndexedEvent => {
  const now = Date.now();
  return {
    projectId: 7,
    hash: hex('group'),
    at: now,
    id: hex(name),
    richness: 3,
    place: { segment: 64 * now + 5, ordinal: 1 },
    digest: '',
    traceId: '',
    ...fields,
  };
};

export function entriesOf(events: readonly IndexedEvent[]): Uint8Array {
  const list = new EntryList();
  for (const event of events) list.add(event);
  return list.bytes();
}
