import { expect, test } from 'vitest';
import { issueMarkdown, type IssueFacts } from './markdown.ts';
import type { Event, Frame } from '../../features/event/types.ts';

const frame = (fields: Partial<Frame>): Frame => ({
  filename: 'app/price.ts',
  absPath: null,
  module: null,
  package: null,
  platform: null,
  function: 'getPrice',
  rawFunction: null,
  lineNo: 42,
  colNo: 13,
  inApp: true,
  context: [
    [41, 'function getPrice(item) {'],
    [42, '  return item.price;'],
    [43, '}'],
  ],
  vars: null,
  instructionAddr: null,
  symbolAddr: null,
  trust: null,
  data: null,
  sourceLink: null,
  ...fields,
});

const exception = (type: string, value: string, frames: Frame[]) => ({
  type,
  value,
  module: null,
  mechanism: { handled: false },
  threadId: null,
  stacktrace: { frames, framesOmitted: null, hasSystemFrames: false },
  rawStacktrace: null,
});

const event: Event = {
  id: 'a'.repeat(32),
  eventID: 'a'.repeat(32),
  groupID: '1',
  projectID: '1',
  'event.type': 'error',
  title: 'TypeError: x',
  message: '',
  culprit: 'GET /product',
  location: null,
  platform: 'node',
  level: 'error',
  environment: 'production',
  traceId: null,
  digest: '1930860604',
  user: null,
  tags: [{ key: 'browser', value: 'Safari 18' }],
  dateCreated: '2026-11-21T02:10:00.000Z',
  type: 'error',
  metadata: {},
  entries: [
    {
      type: 'exception',
      data: {
        values: [
          exception('RangeError', 'the cause', []),
          exception('TypeError', 'null has no `price`', [
            frame({ inApp: false, function: 'run', context: [] }),
            frame({}),
          ]),
        ],
        excOmitted: null,
        hasSystemFrames: false,
      },
    },
    {
      type: 'breadcrumbs',
      data: {
        values: Array.from({ length: 30 }, (_, index) => ({
          type: 'default',
          category: 'console',
          level: 'info',
          message: `step ${index}`,
          data: null,
          sourceLink: null,
          timestamp: '2026-11-21T02:09:59.500Z',
          eventId: null,
        })),
      },
    },
  ],
  contexts: {},
  context: {},
  sdk: null,
  release: { version: 'shop@4f2c1', shortVersion: '4f2c1' },
  dist: null,
  logger: null,
  spanId: null,
  packages: {},
  fingerprints: [],
  groupingConfig: { id: 'x' },
  symbolication: { mapped: 0, unresolved: 0 },
  errors: [],
  dateReceived: '2026-11-21T02:10:00.000Z',
  size: 1,
  occurrence: null,
  crashFile: null,
  userReport: null,
  _meta: {},
  nextEventID: null,
  previousEventID: null,
  position: null,
  total: null,
};

const issue: IssueFacts = {
  shortId: 'SHOP-42',
  title: 'TypeError: null has no `price`',
  count: '132',
  userCount: 87,
  firstSeen: '2026-11-21T02:10:00Z',
  lastSeen: '2026-11-21T08:00:00Z',
  status: 'unresolved',
  project: { slug: 'shop' },
  firstRelease: { version: 'shop@4f2c1' },
  url: 'https://culprit.example.com/issues/SHOP-42',
};

test('says what broke, where, since when, and marks the failing line', () => {
  const text = issueMarkdown(issue, event);
  expect(text.split('\n').slice(0, 10)).toEqual([
    '# TypeError: null has no `price`',
    '',
    '- Issue: [SHOP-42](https://culprit.example.com/issues/SHOP-42) in shop, unresolved',
    '- Seen: 132 events, 87 users, first 2026-11-21T02:10:00Z in shop@4f2c1, last 2026-11-21T08:00:00Z',
    `- Event: ${'a'.repeat(32)} at 2026-11-21T02:10:00.000Z`,
    '- Where: GET /product',
    '- Release: shop@4f2c1',
    '- Environment: production',
    '- Digest: 1930860604',
    '',
  ]);
  expect(text).toContain('## Error: TypeError: null has no `price` (unhandled)');
  expect(text).toContain(
    'at getPrice (app/price.ts:42:13)\n    41 | function getPrice(item) {\n  > 42 |   return item.price;',
  );
  expect(text).toContain('(library) at run');
  expect(text).toContain('## Caused by: RangeError: the cause (unhandled)\n\nNo stack trace.');
  expect(text).toContain('## Breadcrumbs (last 20 of 30)');
  expect(text).toContain('- 02:09:59.500 info console: step 29');
  expect(text).not.toContain('step 9\n');
});

test('source with backticks cannot end its fence', () => {
  const source = frame({ context: [[42, 'const a = "````";']] });
  const nasty: Event = {
    ...event,
    entries: [
      {
        type: 'exception',
        data: { values: [exception('E', 'v', [source])], excOmitted: null, hasSystemFrames: false },
      },
    ],
  };
  expect(issueMarkdown(issue, nasty)).toMatch(/\n`{5}\nat getPrice[^]*````[^]*\n`{5}\n/);
});

test('calls of another language stand in its form and order', () => {
  const text = issueMarkdown(issue, { ...event, platform: 'python' });
  expect(text).toContain(
    '(library) File "app/price.ts", line 42, in run\nFile "app/price.ts", line 42, in getPrice\n    41 |',
  );
});
