/** Events of the published cases as the detectors get them: through the steps of a transaction, as if just received. */
import { z } from 'zod';
import { types } from '../../process/items/transaction/index.ts';
import { readJson, type Verdict } from '../../process/steps/conformance-data.ts';
import { urlWithoutIds } from '../../process/steps/span/path-ids.ts';
import { defaultProjectSettings } from '../../process/types.ts';
import { detectProblems, detectWith } from './detect.ts';
import { spanOfRow } from './made-segments.ts';
import type { DetectorName } from '../../base/problems/types.ts';
import { type Segment, toSegment } from './segment.ts';
import { defaultPerformanceSettings } from '../../base/problems/settings.ts';

/** Names of the cases → ours. */
const caseDetectors: Readonly<Record<string, DetectorName>> = {
  n_plus_one_db_queries: 'nPlusOneDb',
  m_n_plus_one_db_queries: 'mnPlusOneDb',
  consecutive_db_queries: 'consecutiveDb',
  slow_db_query: 'slowDb',
  n_plus_one_api_calls: 'nPlusOneApi',
  consecutive_http: 'consecutiveHttp',
  large_http_payload: 'largePayload',
  render_blocking_asset: 'renderBlockingAsset',
  uncompressed_asset: 'uncompressedAsset',
  http_overhead: 'httpOverhead',
  file_io_on_main_thread: 'fileIoOnMainThread',
  db_on_main_thread: 'dbOnMainThread',
  query_injection: 'queryInjection',
  sql_injection: 'queryInjection',
};

interface ExpectedProblem {
  readonly detector: string;
  readonly offender_span_ids?: readonly string[];
}

type Json = Record<string, unknown>;

interface PatchStep {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** RFC 6902 `add`, `replace` and `remove`, on a copy. */
function patched(event: Json, steps: readonly PatchStep[]): Json {
  const copy = structuredClone(event);
  for (const { op, path, value } of steps) {
    const keys = path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    let target: unknown = copy;
    for (const key of keys) target = (target as Json)[key];
    if (Array.isArray(target)) {
      const index = last === '-' ? target.length : Number(last);
      if (op === 'replace') target[index] = value;
      else target.splice(index, op === 'remove' ? 1 : 0, ...(op === 'remove' ? [] : [value]));
    } else if (op === 'remove') delete (target as Json)[last];
    else (target as Json)[last] = value;
  }
  return copy;
}

const dayMs = 86_400_000;

interface CaseSpan extends Json {
  start_timestamp: number;
  timestamp: number;
}

/** What ingestion refuses or cuts is put right first: cases have no trace context, or spans of another century. */
function acceptable(event: Json): Json {
  const copy = structuredClone(event);
  const spans = ((copy['spans'] ?? []) as CaseSpan[]).filter((span) => span !== null);
  const first = spans.reduce((least, span) => Math.min(least, span.start_timestamp), Infinity);
  const start = Number(copy['start_timestamp'] ?? first);
  // Spans are compared with each other, so that they may move together.
  const shift = Math.abs(first - start) * 1_000 > dayMs ? start - first : 0;
  for (const span of spans) {
    span.start_timestamp += shift;
    span.timestamp += shift;
  }
  const contexts = { ...(copy['contexts'] as Json | undefined) };
  const known = new Set(spans.map((span) => span['span_id']));
  const orphan = spans.find((span) => !known.has(span['parent_span_id']));
  contexts['trace'] ??= { trace_id: 'a'.repeat(32), span_id: orphan?.['parent_span_id'] ?? 'f'.repeat(16) };
  return { ...copy, spans, contexts, start_timestamp: start, timestamp: copy['timestamp'] ?? start };
}

/** Throws where the event is refused. */
function segmentOf(json: Json): Segment {
  const event = acceptable(json);
  const receivedAt = Number(event['timestamp']) * 1_000;
  const item = { type: 'transaction', header: {}, payload: Buffer.from(JSON.stringify(event)) };
  const { rows, outcomes } = types.transaction(item, {
    projectId: 1,
    settings: defaultProjectSettings,
    receivedAt,
  });
  const spans = rows?.spans ?? [];
  const [root] = spans;
  if (!root) throw new Error(`the event was rejected: ${JSON.stringify(outcomes)}`);
  // One case has two spans of one id, and means both.
  const seen = new Map<string, number>();
  const idOf = (id: string): string => {
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  };
  const read = spans.map((row) => ({ ...spanOfRow(row), id: idOf(row.span_id) }));
  const { transaction, platform, sdk_name: sdkName } = root;
  return toSegment(root.span_id, read, { transaction, platform, sdkName });
}

const nameOf = (detector: DetectorName): string =>
  Object.entries(caseDetectors).find(([, ours]) => ours === detector)?.[0] ?? detector;

/** What one detector finds in the event, in the words of the cases. */
function foundBy(detector: string, event: Json): ExpectedProblem[] {
  const name = caseDetectors[detector];
  if (!name) throw new Error(`unknown detector ${detector}`);
  const problems = new Map(
    detectWith(name, segmentOf(event), defaultPerformanceSettings).map((one) => [one.fingerprint.join('\n'), one]),
  );
  return [...problems.values()].map(({ offenders }) => ({
    detector,
    offender_span_ids: offenders.map(({ id }) => id.split('#', 1)[0] ?? id),
  }));
}

/** Names of the detectors that find something, sorted. */
function foundByAll(event: Json): string[] {
  const found = detectProblems(segmentOf(event), defaultPerformanceSettings);
  return [...new Set(found.map(({ detector }) => nameOf(detector)))].toSorted();
}

/** Whether what was found is what was expected: the detector, and the offenders where they are given. */
function agrees(expected: readonly ExpectedProblem[], found: readonly ExpectedProblem[]): boolean {
  if (expected.length !== found.length) return false;
  const left = [...found];
  return expected.every(({ detector, offender_span_ids: ids }) => {
    const wanted = ids?.toSorted().join();
    const index = left.findIndex(
      (one) =>
        one.detector === detector && (wanted === undefined || one.offender_span_ids?.toSorted().join() === wanted),
    );
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

const step = z.object({ op: z.string(), path: z.string(), value: z.unknown() });
const problem = z.object({ detector: z.string(), offender_span_ids: z.array(z.string()).optional() });
const event = z.record(z.string(), z.unknown());
const forms = {
  one: z.object({
    id: z.string(),
    detector: z.string(),
    event: z.string(),
    patch: z.array(step).default([]),
    expected: z.array(problem),
  }),
  all: z.object({ id: z.string(), event, expected: z.array(z.string()) }),
  url: z.object({ input: z.string(), expected: z.string() }),
};

const file = z.object({ cases: z.array(z.union([forms.one, forms.all, forms.url])) });

function judge(folder: string, one: z.output<typeof file>['cases'][number]): Verdict {
  if ('input' in one) {
    const found = urlWithoutIds(one.input);
    return { id: one.input, passed: found === one.expected, why: `${found} instead of ${one.expected}` };
  }
  if ('detector' in one) {
    const found = foundBy(one.detector, patched(readJson(folder, one.event), one.patch));
    const passed = agrees(one.expected, found);
    return { id: one.id, passed, why: `${JSON.stringify(found)} instead of ${JSON.stringify(one.expected)}` };
  }
  const found = foundByAll(one.event).join(', ');
  const wanted = one.expected.toSorted().join(', ');
  return { id: one.id, passed: found === wanted, why: `${found || 'nothing'} instead of ${wanted || 'nothing'}` };
}

/** `json` is a parsed file of cases, whose events stand in `folder`. */
export const judgePerformance = (folder: string, json: unknown): Verdict[] =>
  file.parse(json).cases.map((one) => {
    const { why, ...verdict } = judge(folder, one);
    return verdict.passed ? verdict : { ...verdict, why };
  });
