/** Twins of what SDKs of other languages sent: the same bug twice is one issue, two bugs are two. */
import { parseEnvelope } from '@culprit/envelope';
import { describe, expect, it } from 'vitest';
import { readLanguageFixture } from '../../../../../fixtures/index.ts';
import { signals } from '../../../base/otlp/index.ts';
import { processItem } from '../../items/index.ts';
import { defaultProjectSettings, type GroupingComponent, type ProcessedEvent } from '../../types.ts';
import type { Event, Frame } from '../event.ts';
import { currentGroupingVersion } from './settings.ts';

type Edit = (text: string) => string;

/** The event of a recorded envelope; `edit` changes its JSON. */
function read(name: string, version = currentGroupingVersion, edit: Edit = (text) => text): ProcessedEvent {
  const item = parseEnvelope(readLanguageFixture(name).bytes).items.find(({ header }) => header.type === 'event');
  const payload = Buffer.from(edit(Buffer.from(item?.payload ?? []).toString()));
  const settings = { ...defaultProjectSettings, grouping: { ...defaultProjectSettings.grouping, version } };
  const { events = [] } = processItem(
    { type: 'event', header: {}, payload },
    { projectId: 1, settings, receivedAt: Date.UTC(2026, 10, 26) },
  );
  const [event] = events;
  if (!event) throw new Error(`${name} has no event`);
  return event;
}

/** As issues are found: the first hash that one has decides; a new one gets all. */
function countIssues(events: readonly ProcessedEvent[]): number {
  const owners = new Map<string, number>();
  let issues = 0;
  for (const { grouping } of events) {
    const owner = grouping.hashes.map((hash) => owners.get(hash)).find((one) => one !== undefined) ?? issues++;
    for (const hash of grouping.hashes) if (!owners.has(hash)) owners.set(hash, owner);
  }
  return issues;
}

type Twin = string | readonly [name: string, edit: Edit];

const saying =
  (before: string, after: string): Edit =>
  (text) =>
    text.replaceAll(before, after);

interface Row {
  readonly language: string;
  readonly what: string;
  readonly twins: readonly Twin[];
  /** Issues by version 2. */
  readonly before: number;
  readonly after: number;
}

const rows: readonly Row[] = [
  { language: 'Go', what: 'one bug, two inputs', twins: ['go-0.50/wrapped', 'go-0.50/wrapped-2'], before: 2, after: 1 },
  {
    language: 'Go',
    what: 'one bug, two inputs, -trimpath and not',
    twins: ['go-0.50-trimpath/wrapped', 'go-0.50-trimpath/wrapped-2', 'go-0.50/wrapped'],
    before: 2,
    after: 1,
  },
  {
    language: 'Go',
    what: 'two errors reported by one function',
    twins: ['go-0.50/twobugs', 'go-0.50/twobugs-2'],
    before: 1,
    after: 2,
  },
  {
    language: 'Go',
    what: 'one panic, two workers',
    twins: ['go-0.50/goroutine', ['go-0.50/goroutine', saying('worker 7', 'worker 8')]],
    before: 1,
    after: 1,
  },
  { language: 'Go', what: 'two panics', twins: ['go-0.50/panic', 'go-0.50/panicerr'], before: 2, after: 2 },
  {
    language: 'Rust',
    what: 'one bug, two inputs',
    twins: ['rust-0.49/anyhow', 'rust-0.49/anyhow-2'],
    before: 2,
    after: 1,
  },
  {
    language: 'Rust',
    what: 'one bug, two inputs, stripped',
    twins: ['rust-0.49-stripped/anyhow', 'rust-0.49-stripped/anyhow-2'],
    before: 2,
    after: 1,
  },
  {
    language: 'Rust',
    what: 'two panics of one function',
    twins: ['rust-0.49/unwrap', 'rust-0.49/unwrap-2'],
    before: 1,
    after: 2,
  },
  {
    language: 'Rust',
    what: 'two panics of one function, no paths',
    twins: ['rust-0.49-release/unwrap', 'rust-0.49-release/unwrap-2'],
    before: 1,
    after: 2,
  },
  {
    language: 'Rust',
    what: 'three panics, stripped',
    twins: ['rust-0.49-stripped/panic', 'rust-0.49-stripped/unwrap', 'rust-0.49-stripped/unwrap-2'],
    before: 1,
    after: 3,
  },
  {
    language: 'Rust',
    what: 'one panic, two indexes, two compilers',
    twins: [
      'rust-0.49/panic',
      [
        'rust-0.49/panic',
        (text) =>
          text
            .replaceAll('the index is 5', 'the index is 7')
            .replaceAll('/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860', `/rustc/${'1'.repeat(40)}`)
            .replaceAll('__libc_start_call_main', '__libc_start_main@@GLIBC_2.34')
            .replaceAll('as core::slice::index::SliceIndex', 'as core::slice::at::SliceAt'),
      ],
    ],
    before: 2,
    after: 1,
  },
  {
    language: 'Java',
    what: 'one bug, two inputs',
    twins: ['java-8.62/cause', 'java-8.62/cause-2'],
    before: 1,
    after: 1,
  },
  {
    language: 'Java',
    what: 'one log statement, two users',
    twins: ['java-8.53/logback', 'java-8.53/logback-2'],
    before: 1,
    after: 1,
  },
  {
    language: 'Java',
    what: 'two versions of logback',
    twins: ['java-8.53/logback', ['java-8.53/logback', saying('appendLoopOnAppenders', 'appendAll')]],
    before: 2,
    after: 1,
  },
  {
    language: 'Java',
    what: 'two messages of one method',
    twins: ['java-8.62/message', ['java-8.62/message', saying('stock of %s is low', 'the till of %s is open')]],
    before: 1,
    after: 2,
  },
  {
    language: 'Java',
    what: 'generated classes',
    twins: ['java-8.62/synthetic-names', 'java-8.62/synthetic-names-2'],
    before: 1,
    after: 1,
  },
  {
    language: 'Java',
    what: 'with an exclude and without',
    twins: ['java-8.62-excludes/lambda', 'java-8.62/lambda', 'java-8.62-default/lambda'],
    before: 1,
    after: 1,
  },
  { language: 'Java', what: 'two bugs', twins: ['java-8.62/cause', 'java-8.62/lambda'], before: 2, after: 2 },
  {
    language: 'Java',
    what: 'one bug of a request, two inputs',
    twins: ['java-spring-8.51/web-2', 'java-spring-8.51/web-4'],
    before: 1,
    after: 1,
  },
  {
    language: 'Python',
    what: 'one bug, two inputs',
    twins: ['python-2/chain', 'python-2/chain-twins'],
    before: 1,
    after: 1,
  },
  { language: 'Python', what: 'two bugs', twins: ['python-2/chain', 'python-2/during'], before: 2, after: 2 },
  {
    language: 'Python',
    what: 'two messages of one function',
    twins: ['python-2/logging', 'python-2/logging-2'],
    before: 2,
    after: 2,
  },
  {
    language: 'Python',
    what: 'one log statement, three users',
    twins: ['python-2/plainlog', 'python-2/plainlog-2', 'python-2/plainlog-3'],
    before: 1,
    after: 1,
  },
  {
    language: 'Python',
    what: 'one bug of Django, two requests',
    twins: ['python-2-django/web-2', 'python-2-django/web-4'],
    before: 1,
    after: 1,
  },
  { language: 'Ruby', what: 'one bug, two inputs', twins: ['ruby-5.3/cause', 'ruby-5.3/cause-2'], before: 1, after: 1 },
  { language: 'Ruby', what: 'two bugs', twins: ['ruby-5.3/key', 'ruby-5.3/block'], before: 2, after: 2 },
];

describe('twins', () => {
  it.each(rows)('$language, $what: $before before, $after now', ({ twins, before, after }) => {
    const issuesBy = (version: string): number =>
      countIssues(
        twins.map((twin) => (typeof twin === 'string' ? read(twin, version) : read(twin[0], version, twin[1]))),
      );
    expect([issuesBy('culprit:2'), issuesBy('culprit:3')]).toEqual([before, after]);
  });
});

/** What spans of a recording tell, in the order in which they began. */
function readOtlp(name: string, version: string): ProcessedEvent[] {
  const { bytes: payload } = readLanguageFixture(name);
  const settings = { ...defaultProjectSettings, grouping: { ...defaultProjectSettings.grouping, version } };
  const item = { type: signals.traces.itemType, header: { form: 'protobuf', take: 100 }, payload };
  const { maybeReported = [] } = processItem(item, { projectId: 1, settings, receivedAt: Date.UTC(2026, 10, 26) });
  return maybeReported.flatMap((one) => one.finish(false).events ?? []);
}

describe('twins of OpenTelemetry', () => {
  it.each([
    ['Python', 'otel-python/twins', 2, 2],
    ['Go', 'otel-go/twins', 1, 2],
    ['Java', 'otel-java/twins-2', 2, 2],
  ])('%s, one bug with two inputs and another bug, %s: %d before, %d now', (_, name, before, after) => {
    for (const [version, expected] of [
      ['culprit:2', before],
      ['culprit:3', after],
    ] as const) {
      const events = readOtlp(name, version);
      expect(events).toHaveLength(3);
      expect([version, countIssues(events.slice(0, 2)), countIssues(events)]).toEqual([version, 1, expected]);
    }
  });
});

function framesOf({ row }: ProcessedEvent): Frame[] {
  const { exception, threads, stacktrace } = JSON.parse(String(row.payload)) as Event;
  const holders = [...(exception?.values ?? []), ...(threads?.values ?? []), { stacktrace }];
  return holders.flatMap((holder) => holder.stacktrace?.frames ?? []);
}

const ownNames = (event: ProcessedEvent): string[] =>
  framesOf(event).flatMap((frame) => (frame.in_app === true ? `${frame.module ?? ''} ${frame.function ?? ''}` : []));

describe('own code', () => {
  it.each([
    ['rust-0.49/panic', /^ (?:shop::|<unknown>)/],
    ['rust-0.49/tracing', /^ (?:shop::|<unknown>)/],
    ['rust-0.49-release/panic', /^ (?:shop::|<unknown>)/],
    ['java-8.53/logback', /^com\.example\./],
    ['java-8.62-excludes/lambda', /^com\.example\./],
    ['java-spring-8.51/web-2', /^com\.example\./],
    ['go-0.50-trimpath/panic', /^(?:main|example\.com\/shop\/internal\/cart) /],
  ])('%s: %s alone', (name, expected) => {
    const names = ownNames(read(name));
    expect(names).not.toEqual([]);
    expect(names.filter((one) => !expected.test(one))).toEqual([]);
  });
});

describe('culprit', () => {
  it.each([
    ['rust-0.49/panic', 'cart.rs in shop::cart::Basket::at'],
    ['rust-0.49-stripped/panic', ''],
    ['java-8.53/logback', 'com.example.shop.App in main'],
    ['java-8.53/logback-2', 'com.example.shop.App in main'],
    ['java-8.62-excludes/lambda', 'com.example.shop.Cart in lambda$lambda$0'],
    ['go-0.50-trimpath/panic', 'example.com/shop/internal/cart in (*Basket).At'],
    ['python-2/plainlog', 'shop.mail'],
  ])('%s: %j', (name, expected) => {
    expect(read(name).seed.culprit).toBe(expected);
  });
});

describe('the explanation', () => {
  const nodes = (component: GroupingComponent): GroupingComponent[] => [
    component,
    ...(component.children ?? []).flatMap(nodes),
  ];
  const shown = (name: string): string[] =>
    read(name).grouping.tree.flatMap((tree) =>
      nodes(tree)
        .filter(({ id }) => id === 'message' || id === 'value' || id === 'stacktrace')
        .map(({ id, contributes, value = '', why = '' }) => `${contributes ? '+' : '-'} ${id} ${value} ${why}`.trim()),
    );

  it.each([
    [
      'rust-0.49-stripped/panic',
      [
        '- stacktrace  not used: no frame counts',
        '+ value index out of bounds: the len is <int> but the index is <int>',
      ],
    ],
    [
      'go-0.50/twobugs',
      ['+ stacktrace', '+ value first bug a Go error has no place of its own, so its text tells errors apart'],
    ],
    ['go-0.50/message', ['+ stacktrace', '+ message stock is low the stack only shows where the message was captured']],
  ])('of %s', (name, expected) => {
    expect(shown(name)).toEqual(expected);
  });
});
