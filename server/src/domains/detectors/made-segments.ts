/** Segments for tests: spans by a few words each. */
import type { SpanRow } from '../../base/tables/spans.ts';
import { type Segment, type SegmentSpan, toSegment } from './segment.ts';

export interface MadeSpan {
  readonly id?: string;
  readonly parent?: string;
  readonly op?: string;
  readonly name?: string;
  readonly description?: string;
  readonly hash?: string;
  readonly origin?: string;
  /** From the start of the segment. */
  readonly atMs?: number;
  readonly ms?: number;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly numbers?: Readonly<Record<string, number>>;
}

export const startUs = 1_800_000_000_000_000;
export const rootId = 'f'.repeat(16);

export const spanId = (index: number): string => index.toString(16).padStart(16, '0');

/** The hash is the name unless told. */
export function madeSpan(fields: MadeSpan, index = 0): SegmentSpan {
  const { name = '', op = 'db', atMs = index * 10, ms = 5 } = fields;
  return {
    id: fields.id ?? spanId(index),
    parentId: fields.parent ?? rootId,
    op,
    name,
    description: fields.description ?? name,
    hash: fields.hash ?? (name === '' ? '' : `${op} ${name}`),
    origin: fields.origin ?? 'manual',
    startUs: startUs + atMs * 1_000,
    endUs: startUs + (atMs + ms) * 1_000,
    attributes: fields.attributes ?? {},
    numbers: fields.numbers ?? {},
  };
}

/** The root is a request of a Node server unless told. */
export function madeSegment(
  spans: readonly MadeSpan[],
  root: MadeSpan = {},
  facts: { readonly platform?: string; readonly sdkName?: string } = {},
): Segment {
  const { platform = 'node', sdkName = 'sentry.javascript.node' } = facts;
  const made = madeSpan({ id: rootId, parent: '', op: 'http.server', name: 'GET /cart', atMs: 0, ms: 60_000, ...root });
  return toSegment(rootId, [made, ...spans.map((span, index) => madeSpan(span, index + 1))], {
    transaction: made.name,
    platform,
    sdkName,
  });
}

export const repeated = (count: number, span: MadeSpan): MadeSpan[] => Array.from({ length: count }, () => span);

/** For pages that a browser loads. */
export const page: MadeSpan = { op: 'pageload', name: '/', attributes: { 'browser.name': 'Chrome' } };
export const inBrowser = { platform: 'javascript', sdkName: 'sentry.javascript.react' };

/** A stored span as detectors take it. */
export const spanOfRow = (row: SpanRow): SegmentSpan => ({
  id: row.span_id,
  parentId: row.parent_span_id,
  op: row.op,
  name: row.name,
  description: row.description,
  hash: row.description_hash,
  origin: row.origin,
  startUs: row.started_at,
  endUs: row.started_at + row.duration_us,
  attributes: row.attributes,
  numbers: row.numbers,
});
