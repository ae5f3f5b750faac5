/**
 * Spans that libraries put around and between queries: a repository's method, an ORM's load, a driver's rows. One query
 * each, they hide that the queries are one loop. SDKs of JavaScript send none of them.
 */
import { isConnecting, isDatabase } from './queries.ts';
import type { Problem } from './problem.ts';
import type { Segment, SegmentSpan } from './segment.ts';
import { facts } from '../../base/texts/detectors.ts';

const isScript = (platform: string): boolean => platform === 'node' || platform === 'javascript';

/** Of Go's `database/sql`. */
const ofDriver = /^sql\.(?:conn\.(?:connect|ping|reset_session|prepare)|connector\.connect|rows|stmt\.close)$/;

/** What drivers, pools and ORMs do for a query that is none: EF Core compiles, PDO prepares, Hikari lends a connection. */
const isHousekeeping = (span: SegmentSpan): boolean =>
  isConnecting(span) ||
  span.op === 'db.query.compile' ||
  span.op === 'db.sql.prepare' ||
  span.name.endsWith('.getConnection') ||
  (span.name.startsWith('sql.') && ofDriver.test(span.name));

/** Spans in their order, with queries under what called the library. Linear. */
export function withoutWrappers({ platform, spans: all }: Pick<Segment, 'platform' | 'spans'>): readonly SegmentSpan[] {
  if (isScript(platform)) return all;
  const spans = all.filter((span) => !isHousekeeping(span));
  const children = new Map<string, SegmentSpan[]>();
  for (const span of spans) {
    const siblings = children.get(span.parentId);
    if (siblings) siblings.push(span);
    else children.set(span.parentId, [span]);
  }
  const wrappers = new Set<string>();
  // Children come after their parents, so that from the end each is decided before what is above it.
  for (const span of spans.toReversed()) {
    // Work that has a name of its own kind is no library's.
    if (span.op !== '') continue;
    const [child, ...more] = children.get(span.id) ?? [];
    if (child && more.length === 0 && (isDatabase(child) || wrappers.has(child.id))) wrappers.add(span.id);
  }
  if (wrappers.size === 0) return spans;
  const above = new Map<string, string>();
  const shown: SegmentSpan[] = [];
  for (const span of spans) {
    const parentId = above.get(span.parentId) ?? span.parentId;
    if (wrappers.has(span.id)) above.set(span.id, parentId);
    else shown.push(parentId === span.parentId ? span : { ...span, parentId });
  }
  return shown;
}

const longestPlace = 500;

/** Where the query was called, as SDKs tell it: function, file and line; '' where none does. */
export function callSite({ attributes, numbers }: Pick<SegmentSpan, 'attributes' | 'numbers'>): string {
  const file = attributes['code.file.path'] ?? '';
  const name = attributes['code.function.name'] ?? '';
  const within = attributes['code.namespace'] ?? '';
  // Newer names of functions are whole.
  const whole = within && name && !name.startsWith(within) ? `${within}.${name}` : name || within;
  const line = numbers['code.line.number'];
  const place = file && line !== undefined ? `${file}:${line}` : file;
  return [whole, place].filter(Boolean).join(', ').slice(0, longestPlace).toWellFormed();
}

export function calledFrom(span: Pick<SegmentSpan, 'attributes' | 'numbers'>): NonNullable<Problem['facts']> {
  const value = callSite(span);
  return value ? [{ name: facts.calledFrom, value }] : [];
}
