/** Stored segments of suspects: their spans from the events store, with what a detector asks for. */
import type { Events } from '../../ports/events/events.ts';
import type { TakenSuspect } from './suspects.ts';
import { maxSegmentSpans, type Segment, type SegmentSpan, toSegment } from './segment.ts';

/** What the event of a problem takes over from the segment. */
export interface SegmentOrigin {
  readonly projectId: number;
  readonly traceId: string;
  readonly segmentId: string;
  readonly environment: string;
  readonly release: string;
  readonly dist: string;
  /** As `SpanRow.user`. */
  readonly user: string;
  readonly service: string;
  readonly sdkVersion: string;
  /** End of the segment, as far as it is known; ms since the epoch. */
  readonly endMs: number;
}

export interface StoredSegment {
  readonly segment: Segment;
  readonly origin: SegmentOrigin;
}

export interface ReadSuspect {
  readonly suspect: TakenSuspect;
  readonly segments: readonly StoredSegment[];
  /** False where a root is not there, which may still come. */
  readonly complete: boolean;
}

/** Attributes are most of what a span weighs; these are looked at. */
const attributeNames = [
  'db.query.text',
  'db.system.name',
  'db.sql.bindings',
  'http.request.method',
  'http.request.prefetch',
  'http.request.body.data',
  'http.route',
  'host.name',
  'url',
  'url.full',
  'url.path',
  'url.query',
  'network.protocol.version',
  'resource.render_blocking_status',
  'blocked_main_thread',
  'file.path',
  'call_stack',
  'code.file.path',
  'code.function.name',
  'code.namespace',
  'browser.name',
  'browser.version',
  'os.name',
  'os.version',
  'device.family',
];
const numberNames = [
  'fcp',
  'http.response.size',
  'http.response.body.size',
  'http.response.body.decoded_size',
  'Transfer Size',
  'Encoded Body Size',
  'Decoded Body Size',
  'http.request.request_start',
  'code.line.number',
  'network.protocol.version',
];

/** Spans of all suspects of one query. */
const maxRows = 12_000;
const dayMs = 86_400_000;

interface Row {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string;
  readonly segment_id: string;
  readonly is_segment: number;
  readonly start_us: number;
  readonly duration_us: number;
  readonly op: string;
  readonly name: string;
  readonly description: string;
  readonly description_hash: string;
  readonly origin: string;
  readonly shown: Readonly<Record<string, string>>;
  readonly counted: Readonly<Record<string, number>>;
  readonly transaction: string;
  readonly platform: string;
  readonly environment: string;
  readonly release: string;
  readonly dist: string;
  readonly user: string;
  readonly service: string;
  readonly sdk_name: string;
  readonly sdk_version: string;
}

/**
 * Suspects of one project. One query for all of them, or for half of them where all are more than it takes, and one more
 * where a segment is larger than what is looked at.
 */
export async function readSegments(
  events: Events,
  projectId: number,
  suspects: readonly TakenSuspect[],
): Promise<ReadSuspect[]> {
  if (suspects.length === 0) return [];
  const times = suspects.map(({ at }) => at);
  const known = suspects.filter(({ segmentId }) => segmentId !== '');
  const rows = await events.query<Row>(
    `SELECT trace_id, span_id, parent_span_id, segment_id, is_segment, toUnixTimestamp64Micro(started_at) AS start_us,
       duration_us, op, name, description, description_hash, origin,
       mapFilter((k, v) -> k IN {attributes:Array(String)}, attributes) AS shown,
       mapFilter((k, v) -> k IN {numbers:Array(String)}, numbers) AS counted,
       transaction, platform, environment, release, dist, user, service, sdk_name, sdk_version
     FROM spans
     WHERE project_id = {project:UInt64} AND trace_id IN {traces:Array(String)}
       AND (trace_id IN {whole:Array(String)} OR segment_id IN {segments:Array(String)})
       AND started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
     ORDER BY is_segment DESC, started_at, span_id
     LIMIT ${maxSegmentSpans + 1} BY trace_id, segment_id LIMIT ${maxRows}`,
    {
      project: projectId,
      traces: [...new Set(suspects.map(({ traceId }) => traceId))],
      whole: suspects.flatMap(({ traceId, segmentId }) => (segmentId === '' ? [traceId] : [])),
      segments: ['', ...known.map(({ segmentId }) => segmentId)],
      attributes: attributeNames,
      numbers: numberNames,
      from: Math.max(0, Math.min(...times) - dayMs),
      until: Math.max(...times) + dayMs,
    },
  );
  if (rows.length >= maxRows && suspects.length > 1) {
    const middle = suspects.length >> 1;
    const first = await readSegments(events, projectId, suspects.slice(0, middle));
    return [...first, ...(await readSegments(events, projectId, suspects.slice(middle)))];
  }
  const byTrace = Map.groupBy(rows, (row) => row.trace_id);
  const read: ReadSuspect[] = [];
  for (const suspect of suspects) {
    const parts = partsOf(byTrace.get(suspect.traceId) ?? []);
    const wanted = suspect.segmentId === '' ? [...parts.adopted] : [suspect.segmentId];
    const segments: StoredSegment[] = [];
    for (const segmentId of wanted) {
      const own = parts.bySegment.get(segmentId) ?? [];
      if (own.length === 0) continue;
      const total = own.length > maxSegmentSpans ? await countSpans(events, suspect, segmentId) : own.length;
      segments.push(toStored(suspect, segmentId, own, total));
    }
    const rooted = segments.every(({ segment }) => segment.root !== undefined);
    const complete = rooted && (suspect.segmentId !== '' || parts.homeless === 0);
    read.push({ suspect, segments, complete });
  }
  return read;
}

interface Parts {
  readonly bySegment: ReadonlyMap<string, readonly Row[]>;
  /** Segments to which spans belong that did not know theirs. */
  readonly adopted: ReadonlySet<string>;
  /** Spans that belong to none of the segments that are there. */
  readonly homeless: number;
}

/** Gives spans whose segment was not known when they came that of their parents. Each span is passed once. */
function partsOf(rows: readonly Row[]): Parts {
  const byId = new Map(rows.map((row) => [row.span_id, row]));
  const segmentOf = new Map<string, string>();
  for (const row of rows) if (row.segment_id !== '') segmentOf.set(row.span_id, row.segment_id);
  const path: string[] = [];
  for (const row of rows) {
    let at: Row | undefined = row;
    while (at && !segmentOf.has(at.span_id)) {
      // Until it is known; a circle ends here.
      segmentOf.set(at.span_id, '');
      path.push(at.span_id);
      at = byId.get(at.parent_span_id);
    }
    const found = at ? (segmentOf.get(at.span_id) ?? '') : '';
    for (const id of path.splice(0)) segmentOf.set(id, found);
  }
  const adopted = new Set<string>();
  let homeless = 0;
  for (const row of rows) {
    if (row.segment_id !== '') continue;
    const segmentId = segmentOf.get(row.span_id) ?? '';
    if (segmentId === '') homeless += 1;
    else adopted.add(segmentId);
  }
  return { bySegment: Map.groupBy(rows, (row) => segmentOf.get(row.span_id) ?? ''), adopted, homeless };
}

async function countSpans(
  events: Events,
  { projectId, traceId, at }: TakenSuspect,
  segmentId: string,
): Promise<number> {
  const [row] = await events.query<{ n: number }>(
    `SELECT count() AS n FROM spans
     WHERE project_id = {project:UInt64} AND trace_id = {trace:String} AND segment_id = {segment:String}
       AND started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')`,
    { project: projectId, trace: traceId, segment: segmentId, from: Math.max(0, at - dayMs), until: at + dayMs },
  );
  return row?.n ?? 0;
}

function toStored(
  { projectId, traceId }: TakenSuspect,
  segmentId: string,
  rows: readonly Row[],
  total: number,
): StoredSegment {
  const root = rows.find((row) => row.span_id === segmentId);
  const said = root ?? rows[0];
  const facts = {
    transaction: said?.transaction ?? '',
    platform: said?.platform ?? '',
    sdkName: said?.sdk_name ?? '',
  };
  const segment = toSegment(segmentId, rows.map(toSpan), facts, total);
  const ends = (root ? [root] : rows).map((row) => row.start_us + row.duration_us);
  return {
    segment,
    origin: {
      projectId,
      traceId,
      segmentId,
      environment: said?.environment ?? '',
      release: said?.release ?? '',
      dist: said?.dist ?? '',
      user: said?.user ?? '',
      service: said?.service ?? '',
      sdkVersion: said?.sdk_version ?? '',
      endMs: Math.trunc(ends.reduce((last, end) => Math.max(last, end), 0) / 1_000),
    },
  };
}

/** A row as the detectors look at it. */
function toSpan(row: Row): SegmentSpan {
  return {
    id: row.span_id,
    parentId: row.parent_span_id,
    op: row.op,
    name: row.name,
    description: row.description,
    hash: row.description_hash,
    origin: row.origin,
    startUs: row.start_us,
    endUs: row.start_us + row.duration_us,
    attributes: row.shown,
    numbers: row.counted,
  };
}
