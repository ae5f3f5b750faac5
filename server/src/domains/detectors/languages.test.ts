/**
 * Queries as the SDKs of other languages and OpenTelemetry's instrumentations send them, from their sources: each loop is
 * one N+1 and each long query a slow one, through the steps that real spans take.
 */
import { describe, expect, test } from 'vitest';
import type { SpanRow } from '../../base/tables/spans.ts';
import { defaultPerformanceSettings } from '../../base/problems/settings.ts';
import { run, receivedAt } from '../../process/items/testing.ts';
import { detectProblems } from './detect.ts';
import { spanOfRow } from './made-segments.ts';
import { toSegment } from './segment.ts';

/** A span of one round; those after it with a `under` of its name are its children. */
interface Sent {
  readonly op?: string;
  readonly name: string;
  readonly ms?: number;
  readonly under?: string;
  readonly data?: Readonly<Record<string, string | number>>;
}

interface Sender {
  readonly platform: string;
  readonly sdk: string;
  /** Absent for OpenTelemetry. */
  readonly origin?: string;
  readonly source: readonly Sent[];
  readonly round: readonly Sent[];
  readonly site?: string;
}

const books = 'SELECT id, title FROM books LIMIT 10';
const author = 'SELECT name FROM authors WHERE id = $1';
const postgres = { 'db.system': 'postgresql' };

const senders: Readonly<Record<string, Sender>> = {
  'Django and SQLAlchemy, Sentry': {
    platform: 'python',
    sdk: 'sentry.python.django',
    origin: 'auto.db.django',
    source: [
      { op: 'db', name: 'connect' },
      { op: 'db', name: books, data: postgres },
    ],
    round: [
      {
        op: 'db',
        name: 'SELECT "authors"."name" FROM "authors" WHERE "authors"."id" = %s',
        data: {
          ...postgres,
          'code.filepath': 'shop/views.py',
          'code.lineno': 31,
          'code.namespace': 'shop.views',
          'code.function': 'authors',
        },
      },
    ],
    site: 'shop.views.authors, shop/views.py:31',
  },
  'ActiveRecord, Sentry': {
    platform: 'ruby',
    sdk: 'sentry.ruby.rails',
    origin: 'auto.db.rails',
    source: [{ op: 'db.sql.active_record', name: books, data: postgres }],
    round: [{ op: 'db.sql.active_record', name: author, data: { ...postgres, 'code.filepath': 'app/models/book.rb' } }],
    site: 'app/models/book.rb',
  },
  'JDBC, Sentry': {
    platform: 'java',
    sdk: 'sentry.java.spring-boot.jakarta',
    origin: 'auto.db.jdbc',
    source: [{ op: 'db.query', name: books, data: postgres }],
    round: [{ op: 'db.query', name: 'select a1_0.name from authors a1_0 where a1_0.id=?', data: postgres }],
  },
  'database/sql, Sentry': {
    platform: 'go',
    sdk: 'sentry.go',
    origin: 'auto.db.sql',
    source: [{ op: 'db.sql.query', name: books, data: postgres }],
    round: [{ op: 'db.sql.query', name: author, data: postgres }],
  },
  'EF Core, Sentry': {
    platform: 'csharp',
    sdk: 'sentry.dotnet.aspnetcore',
    origin: 'auto.db.ef_core',
    source: [{ op: 'db.query', name: books }],
    round: [
      { op: 'db.query.compile', name: 'DbSet<Author>() .Where(a => a.Id == __id_0)', ms: 1 },
      { op: 'db.connection', name: 'shop', ms: 1 },
      { op: 'db.query', name: 'SELECT a.Name FROM Authors AS a WHERE a.Id = @__id_0' },
    ],
  },
  'Laravel, Sentry': {
    platform: 'php',
    sdk: 'sentry.php.laravel',
    origin: 'auto.db',
    source: [{ op: 'db.sql.query', name: books }],
    round: [
      {
        op: 'db.sql.query',
        name: 'select * from `authors` where `authors`.`id` = ? limit 1',
        data: { 'code.filepath': 'app/Models/Book.php', 'code.lineno': 12, 'code.function': 'author' },
      },
    ],
    site: 'author, app/Models/Book.php:12',
  },
  'Hibernate and Spring Data, OpenTelemetry': {
    platform: 'java',
    sdk: 'opentelemetry',
    source: [{ name: 'SELECT shop', data: { ...postgres, 'db.statement': books } }],
    round: [
      {
        name: 'AuthorRepository.findById',
        data: { 'code.namespace': 'shop.AuthorRepository', 'code.function': 'findById' },
      },
      { name: 'Session.find shop.Author', under: 'AuthorRepository.findById' },
      { name: 'HikariDataSource.getConnection', under: 'Session.find shop.Author', ms: 1 },
      {
        name: 'SELECT shop.authors',
        under: 'Session.find shop.Author',
        data: { ...postgres, 'db.statement': 'select a.name from authors a where a.id=?' },
      },
    ],
    site: 'shop.AuthorRepository.findById',
  },
  'database/sql and GORM, OpenTelemetry': {
    platform: 'go',
    sdk: 'opentelemetry',
    source: [{ name: 'sql.conn.query', data: { ...postgres, 'db.statement': books } }],
    round: [
      { name: 'sql.conn.reset_session', ms: 1, data: postgres },
      {
        name: 'sql.conn.query',
        data: {
          ...postgres,
          'db.query.text': author,
          'code.function.name': 'shop.(*Books).Authors',
          'code.file.path': 'shop/books.go',
          'code.line.number': 40,
        },
      },
      { name: 'sql.rows', ms: 1, data: postgres },
    ],
    site: 'shop.(*Books).Authors, shop/books.go:40',
  },
  'ActiveRecord, OpenTelemetry': {
    platform: 'ruby',
    sdk: 'opentelemetry',
    source: [{ name: 'SELECT shop', data: { ...postgres, 'db.statement': books } }],
    round: [
      { name: 'Author query' },
      { name: 'SELECT shop', under: 'Author query', data: { ...postgres, 'db.statement': author } },
    ],
  },
  'SQLAlchemy and psycopg, OpenTelemetry': {
    platform: 'python',
    sdk: 'opentelemetry',
    source: [{ name: 'SELECT shop', data: { ...postgres, 'db.statement': books } }],
    round: [{ name: 'SELECT shop', data: { ...postgres, 'db.statement': author } }],
  },
  'EF Core, OpenTelemetry': {
    platform: 'dotnet',
    sdk: 'opentelemetry',
    source: [{ name: 'shop', data: { 'db.system.name': 'postgresql', 'db.query.text': books } }],
    round: [{ name: 'shop', data: { 'db.system.name': 'postgresql', 'db.query.text': author } }],
  },
};

const traceId = 'a'.repeat(32);
const root = 'b'.repeat(16);
const start = receivedAt - 60_000;
const idOf = (index: number): string => (index + 1).toString(16).padStart(16, '0');

interface Timed extends Sent {
  readonly id: string;
  readonly parent: string;
  readonly at: number;
}

/** One after the other; children begin with their parents. */
function timed(spans: readonly Sent[]): Timed[] {
  let at = start;
  const made: Timed[] = [];
  for (const [index, span] of spans.entries()) {
    const parent = made.findLast(({ name }) => name === span.under);
    made.push({ ...span, id: idOf(index), parent: parent?.id ?? root, at });
    at += span.ms ?? 15;
  }
  return made;
}

const asEnvelope = ({ platform, sdk, origin = 'manual' }: Sender, spans: readonly Timed[]): readonly SpanRow[] =>
  run('transaction', {
    event_id: 'c'.repeat(32),
    type: 'transaction',
    transaction: '/books',
    platform,
    sdk: { name: sdk, version: '1.0.0' },
    start_timestamp: start / 1000,
    timestamp: (start + 30_000) / 1000,
    contexts: { trace: { trace_id: traceId, span_id: root, op: 'http.server' } },
    spans: spans.map(({ id, parent, op, name, at, ms = 15, data = {} }) => ({
      trace_id: traceId,
      span_id: id,
      parent_span_id: parent,
      op,
      description: name,
      origin,
      data,
      start_timestamp: at / 1000,
      timestamp: (at + ms) / 1000,
    })),
  }).rows?.spans ?? [];

const attributesOf = (data: Readonly<Record<string, string | number>>) =>
  Object.entries(data).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

function asOtlp({ platform }: Sender, spans: readonly Timed[]): readonly SpanRow[] {
  const span = (spanId: string, name: string, at: number, ms: number, more: object) => ({
    traceId,
    spanId,
    name,
    startTimeUnixNano: `${at}000000`,
    endTimeUnixNano: `${at + ms}000000`,
    ...more,
  });
  const all = [
    span(root, 'GET /books', start, 30_000, {
      kind: 2,
      attributes: attributesOf({ 'http.request.method': 'GET', 'http.route': '/books' }),
    }),
    ...spans.map(({ id, parent, name, at, ms = 15, data = {} }) =>
      span(id, name, at, ms, {
        parentSpanId: parent,
        kind: Object.keys(data).some((key) => key.startsWith('db.')) ? 3 : 1,
        attributes: attributesOf(data),
      }),
    ),
  ];
  const resource = { attributes: attributesOf({ 'telemetry.sdk.language': platform, 'service.name': 'shop' }) };
  const request = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'x' }, spans: all }] }] };
  return run('otlp_traces', request, {}, { form: 'json', take: 1_000 }).rows?.spans ?? [];
}

function problemsOf(sender: Sender, sent: readonly Sent[]) {
  const spans = timed(sent);
  const rows = sender.origin === undefined ? asOtlp(sender, spans) : asEnvelope(sender, spans);
  expect(rows).toHaveLength(sent.length + 1);
  const { transaction = '', platform = '', sdk_name: sdkName = '' } = rows.find(({ is_segment }) => is_segment) ?? {};
  const segment = toSegment(root, rows.map(spanOfRow), { transaction, platform, sdkName });
  return detectProblems(segment, defaultPerformanceSettings);
}

describe.each(Object.entries(senders))('%s', (_, sender) => {
  test('a query for each row is one N+1, called from where the SDK says', () => {
    const loop = Array.from({ length: 8 }, () => sender.round).flat();
    const [problem, ...more] = problemsOf(sender, [...sender.source, ...loop]);
    expect(more).toEqual([]);
    expect(problem?.detector).toBe('nPlusOneDb');
    expect(problem?.offenders).toHaveLength(8);
    const called = problem?.facts?.find(({ name }) => name === 'Called from')?.value;
    if (sender.site !== undefined) expect(called).toBe(sender.site);
  });

  test('three rounds are none', () => {
    expect(problemsOf(sender, [...sender.source, ...Array.from({ length: 3 }, () => sender.round).flat()])).toEqual([]);
  });

  test('a long one is a slow query', () => {
    const long = sender.round.map((span, index, { length }) => ({ ...span, ms: index === length - 1 ? 1_500 : 1 }));
    const slow = sender.round.at(-1)?.name === 'sql.rows' ? sender.round.map((span) => ({ ...span, ms: 1_500 })) : long;
    expect(problemsOf(sender, slow).map(({ detector }) => detector)).toEqual(['slowDb']);
  });
});

test('the first query of a loop that says where it was called speaks for all', () => {
  const sender = senders['JDBC, Sentry'];
  if (!sender) throw new Error('no such sender');
  const round = sender.round.map((span) => ({ ...span, ms: 60 }));
  const slow = round.map((span) => ({
    ...span,
    ms: 120,
    data: { ...span.data, 'code.function': 'shop.Books.authors' },
  }));
  const [problem] = problemsOf(sender, [...sender.source, ...[round, round, round, slow, round, round].flat()]);
  expect(problem?.facts?.find(({ name }) => name === 'Called from')?.value).toBe('shop.Books.authors');
});

test('a query that an ORM explains in a comment is a query', () => {
  const sender = senders['JDBC, Sentry'];
  if (!sender) throw new Error('no such sender');
  for (const comment of ['/* from Book b */ ', '-- Books of the shop\n'])
    expect(
      problemsOf(sender, [{ op: 'db.query', name: `${comment}select b.id from books b`, ms: 1_500 }])[0]?.detector,
    ).toBe('slowDb');
});
