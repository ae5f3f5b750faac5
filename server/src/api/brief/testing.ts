/** For tests: events as processing stores them, and their briefs. */
import { parseEnvelope } from '@culprit/envelope';
import type { Fixture } from '../../../../fixtures/index.ts';
import { type Brief, type BriefEvent, makeBrief } from '../../domains/brief/index.ts';
import type { StoredEventWithPayload } from '../../domains/issues/index.ts';
import { context, run } from '../../process/items/testing.ts';
import { toEvent } from '../events/shapes.ts';

/** Of a recording: its errors and messages. */
export function eventsOf({ bytes, meta }: Fixture): BriefEvent[] {
  const results = meta.path.includes('/store/') ? [run('event', bytes)] : resultsOf(bytes);
  return results.flatMap(({ events = [] }) => events.map(({ row }) => toEvent(asStored(row), 1, undefined)));
}

/** A row that was read back has the columns that are asked for. */
const asStored = (row: object): StoredEventWithPayload => row as StoredEventWithPayload;

function resultsOf(bytes: Uint8Array) {
  const { header, items } = parseEnvelope(bytes);
  const sentAt = typeof header.sent_at === 'string' ? Date.parse(header.sent_at) : undefined;
  const receivedAt = sentAt === undefined ? context.receivedAt : sentAt + 50;
  return items.map((item) => run(item.type, item.payload, { receivedAt, sentAt }, item.header));
}

/** With nothing around it. */
export const briefOf = (event: BriefEvent | undefined): Brief =>
  makeBrief({
    issue: {
      shortId: 'WEB-1',
      title: event?.title ?? 'TypeError',
      culprit: event?.culprit ?? '',
      url: 'https://culprit.example.com/issues/WEB-1',
      project: 'web',
      status: 'unresolved',
      substatus: 'new',
      level: 'error',
      events: 3,
      estimated: null,
      users: 2,
      firstSeen: '2026-11-21T02:10:00.000Z',
      lastSeen: '2026-11-21T08:00:00.000Z',
    },
    event,
    trace: undefined,
    releases: { first: null, last: null, since: null, commits: [], moreCommits: false, suspects: [], problem: null },
    similar: [],
  });
