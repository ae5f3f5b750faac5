/** Loops of queries as real ORMs and drivers sent them: each is one N+1, called from where its sender says. */
import { parseEnvelope } from '@culprit/envelope';
import { describe, expect, test } from 'vitest';
import { listLanguageFixtures, readLanguageFixture } from '../../../../fixtures/index.ts';
import { defaultPerformanceSettings } from '../../base/problems/settings.ts';
import type { SpanRow } from '../../base/tables/spans.ts';
import { run } from '../../process/items/testing.ts';
import { detectProblems } from './detect.ts';
import { spanOfRow } from './made-segments.ts';
import { toSegment } from './segment.ts';

const loops = Map.groupBy(
  listLanguageFixtures().filter((name) => /\/n-plus-one(?:-\d+)?$/.test(name)),
  (name) => name.split('/', 1)[0] ?? '',
);

function rowsOf(name: string): readonly SpanRow[] {
  const { meta, bytes } = readLanguageFixture(name);
  if (!meta.path.includes('/envelope/'))
    return run('otlp_traces', bytes, {}, { form: 'protobuf', take: 1_000 }).rows?.spans ?? [];
  const { header, items } = parseEnvelope(bytes);
  // Received when it was sent: what is older than a month is not taken.
  const sentAt = Date.parse(String(header.sent_at));
  return items.flatMap(
    ({ type, payload }) =>
      (type === 'transaction' && run(type, payload, { sentAt, receivedAt: sentAt }).rows?.spans) || [],
  );
}

/** By folder: the SDK says where its queries are called, or nobody does. */
const sites: Readonly<Record<string, RegExp | undefined>> = {
  'python-2-django': /^__main__\.<genexpr>, django_program\.py:\d+$/,
  'python-2-sqlalchemy': /^__main__\.<listcomp>, sqlalchemy_program\.py:\d+$/,
  'java-jpa-8.51': undefined,
  'otel-javaagent': undefined,
  'otel-go-sql': undefined,
  'ruby-rails-5.3': undefined,
};

/** Of what the loops are in. */
const roots = new Set(['http.server', 'rails.request', 'task']);

test('loops were recorded of each', () => {
  expect([...loops.keys()].toSorted()).toEqual(Object.keys(sites).toSorted());
});

describe.each([...loops])('%s', (folder, names) => {
  const rows = names.flatMap(rowsOf);
  const root = rows.find(({ is_segment, op }) => is_segment && roots.has(op));

  test('its loop is one N+1', () => {
    const { transaction = '', platform = '', sdk_name: sdkName = '', span_id = '', trace_id } = root ?? {};
    const own = rows.filter((row) => row.trace_id === trace_id).toSorted((a, b) => a.started_at - b.started_at);
    const segment = toSegment(span_id, own.map(spanOfRow), { transaction, platform, sdkName });
    const [problem, ...more] = detectProblems(segment, defaultPerformanceSettings);
    expect(more).toEqual([]);
    expect(problem?.detector).toBe('nPlusOneDb');
    expect(problem?.offenders).toHaveLength(10);
    const site = problem?.facts?.find(({ name }) => name === 'Called from')?.value;
    const expected = sites[folder];
    if (expected) expect(site).toMatch(expected);
    else expect(site).toBeUndefined();
  });
});
