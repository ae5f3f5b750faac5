/**
 * A cheap look at spans while they are processed: whether a detector could find something in their segment. What
 * follows from one span is decided at once, the rest from counts of what came of a segment together. A segment may come
 * in several pieces, so that half of what a detector needs is enough.
 */
import type { SpanRow } from '../../base/tables/spans.ts';
import { hasWhere, isSelect, queryText } from './queries.ts';
import type { PerformanceSettings } from '../../base/problems/settings.ts';

/** A segment, or the spans of a trace whose segment is not known yet. */
export interface Suspect {
  readonly projectId: number;
  readonly traceId: string;
  /** '' where it is not known. */
  readonly segmentId: string;
  /** '' where it is not known. */
  readonly transaction: string;
  /** When one of its spans began, ms since the epoch. */
  readonly at: number;
}

export interface Suspicion {
  look(row: SpanRow): void;
  /** Of all that was looked at. */
  suspects(): Suspect[];
}

type LookedAt = Pick<
  SpanRow,
  'op' | 'name' | 'attributes' | 'numbers' | 'duration_us' | 'description_hash' | 'origin' | 'is_segment'
>;

interface Piece {
  readonly of: Suspect;
  readonly settings: PerformanceSettings;
  root: LookedAt | undefined;
  certain: boolean;
  queries: Tally;
  calls: Tally;
  /** A query that asks for nothing that another could have found, and takes long enough to matter. */
  independent: boolean;
  /** A query with values in its text. */
  literal: boolean;
  slowCalls: number;
  /** Calls of which the browser says how long they waited for a connection. */
  waitingCalls: number;
}

/** Spans of one kind. */
interface Tally {
  count: number;
  us: number;
  /** Most of one hash. */
  most: number;
  byHash: Map<string, number> | undefined;
}

const emptyTally = (): Tally => ({ count: 0, us: 0, most: 0, byHash: undefined });

type Kind = 'database' | 'call' | 'resource' | 'file' | 'other';
const kinds = new Map<string, Kind>();
const maxKinds = 1_000;

function kindOf(op: string): Kind {
  const known = kinds.get(op);
  if (known) return known;
  if (kinds.size >= maxKinds) kinds.clear();
  const kind = /^db(?:\.(?!redis|connection)|$)/.test(op)
    ? 'database'
    : /^http(?:\.client(?:\.|$)|$)/.test(op)
      ? 'call'
      : op === 'resource.script' || op === 'resource.css' || op === 'resource.link'
        ? 'resource'
        : op.startsWith('file')
          ? 'file'
          : 'other';
  kinds.set(op, kind);
  return kind;
}

/** `settingsOf` gives those of a project. */
export function createSuspicion(settingsOf: (projectId: number) => PerformanceSettings | undefined): Suspicion {
  const pieces = new Map<string, Piece>();
  let last: Piece | undefined;

  function pieceOf(row: SpanRow): Piece | undefined {
    const { project_id: projectId, trace_id: traceId, segment_id: segmentId } = row;
    // Spans of one segment come one after the other.
    const of = last?.of;
    if (of && of.traceId === traceId && of.segmentId === segmentId && of.projectId === projectId) return last;
    const key = `${projectId} ${traceId}${segmentId}`;
    let piece = pieces.get(key);
    if (!piece) {
      const settings = settingsOf(projectId);
      if (!settings) return undefined;
      piece = {
        of: { projectId, traceId, segmentId, transaction: row.transaction, at: Math.trunc(row.started_at / 1_000) },
        settings,
        root: undefined,
        certain: false,
        queries: emptyTally(),
        calls: emptyTally(),
        independent: false,
        literal: false,
        slowCalls: 0,
        waitingCalls: 0,
      };
      pieces.set(key, piece);
    }
    last = piece;
    return piece;
  }

  return {
    look(row) {
      const kind = kindOf(row.op);
      if (kind === 'other' && row.is_segment === 0) return;
      const piece = pieceOf(row);
      if (!piece || piece.certain) return;
      if (row.is_segment === 1) piece.root = row;
      else lookAt[kind](row, piece);
    },
    suspects: () => [...pieces.values()].filter(isSuspect).map(({ of }) => of),
  };
}

const holdsUpMainThread = ({ attributes }: LookedAt): boolean => attributes['blocked_main_thread'] === 'true';

const lookAt: Readonly<Record<Kind, (row: LookedAt, piece: Piece) => void>> = {
  database(row, piece) {
    const { consecutiveDb, slowDb } = piece.settings;
    add(piece.queries, row);
    const ms = row.duration_us / 1_000;
    piece.certain = holdsUpMainThread(row) || (slowDb.enabled && ms >= slowDb.minDurationMs && isSelect(row));
    if (!piece.independent && ms > consecutiveDb.minSpanMs) {
      piece.independent = isSelect(row) && !hasWhere(queryText(row));
    }
    if (!piece.literal && !row.origin.startsWith('auto.db.otel.')) piece.literal = /'|=\s?\d\d/.test(queryText(row));
  },
  call(row, piece) {
    const { consecutiveHttp, largePayload } = piece.settings;
    add(piece.calls, row);
    const ms = row.duration_us / 1_000;
    if (consecutiveHttp.enabled && ms >= consecutiveHttp.minSpanMs) piece.slowCalls += 1;
    if (row.numbers['http.request.request_start'] !== undefined) piece.waitingCalls += 1;
    const isLarge = (row.numbers['http.response.body.size'] ?? 0) > largePayload.minBytes;
    piece.certain = largePayload.enabled && isLarge && ms >= largePayload.minDurationMs;
  },
  resource(row, piece) {
    const { uncompressedAsset, renderBlockingAsset: blocking } = piece.settings;
    const bytes = row.numbers['http.response.body.size'] ?? row.numbers['Encoded Body Size'] ?? 0;
    const ms = row.duration_us / 1_000;
    piece.certain =
      (uncompressedAsset.enabled && bytes >= uncompressedAsset.minBytes && ms > uncompressedAsset.minDurationMs) ||
      (blocking.enabled && bytes >= blocking.minBytes && ms > blocking.minFcpMs * blocking.minFcpShare);
  },
  file(row, piece) {
    piece.certain = holdsUpMainThread(row);
  },
  other() {},
};

function add(tally: Tally, { duration_us, description_hash }: LookedAt): void {
  tally.count += 1;
  tally.us += duration_us;
  if (description_hash === '') return;
  tally.byHash ??= new Map();
  const same = (tally.byHash.get(description_hash) ?? 0) + 1;
  tally.byHash.set(description_hash, same);
  if (same > tally.most) tally.most = same;
}

const half = (count: number): number => Math.ceil(count / 2);

function isSuspect(piece: Piece): boolean {
  const { settings, queries, calls, root } = piece;
  const { nPlusOneDb, mnPlusOneDb, consecutiveDb, nPlusOneApi, consecutiveHttp, httpOverhead, queryInjection } =
    settings;
  const queryMs = queries.us / 1_000;
  const isPage = root === undefined || root.op === '' || /^(?:pageload|navigation|ui\.)/.test(root.op);
  return (
    piece.certain ||
    (nPlusOneDb.enabled && queries.most >= half(nPlusOneDb.count) && queryMs >= nPlusOneDb.minDurationMs / 2) ||
    (mnPlusOneDb.enabled &&
      queries.most >= mnPlusOneDb.repetitions &&
      queryMs >= mnPlusOneDb.minDurationMs * mnPlusOneDb.minDbShare) ||
    (consecutiveDb.enabled && piece.independent && queries.count > 1 && queryMs >= consecutiveDb.minSavedMs) ||
    (consecutiveHttp.enabled && piece.slowCalls >= half(consecutiveHttp.count)) ||
    (nPlusOneApi.enabled &&
      isPage &&
      calls.most >= half(nPlusOneApi.count) &&
      calls.us / 1_000 >= nPlusOneApi.minDurationMs / 2) ||
    (httpOverhead.enabled && piece.waitingCalls >= half(6)) ||
    (queryInjection.enabled && piece.literal && hasInput(root))
  );
}

/** Where the root is not there yet, it may have. */
function hasInput(root: LookedAt | undefined): boolean {
  if (!root) return true;
  const { attributes } = root;
  return Boolean(
    attributes['url.query'] || attributes['http.request.body.data'] || attributes['url.full']?.includes('?'),
  );
}
