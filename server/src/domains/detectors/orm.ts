/**
 * Spans that libraries put around and between queries: a repository's method, an ORM's load, a driver's rows. One query
 * each, they hide that the queries are one loop. SDKs of JavaScript send none of them.
 */
import { isConnecting, isDatabase } from './queries.ts';
import type { Problem } from './problem.ts';
import type { Segment, SegmentSpan } from './segment.ts';
import { facts } from '../../base/texts/detectors.ts';
import { callSiteText, wholeFunction } from '../../process/steps/span/call-site.ts';

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

/** Where a span was called; drivers seldom say it, repositories and ORMs above them do. */
function codeOf({ attributes }: SegmentSpan): SegmentSpan['attributes'] | undefined {
  const names = ['code.function.name', 'code.namespace', 'code.file.path'].filter((name) => attributes[name]);
  return names.length ? Object.fromEntries(names.map((name) => [name, attributes[name] ?? ''])) : undefined;
}

/** Spans in their order, with queries under what called the library, and with its call site. Linear. */
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
  const above = new Map<string, { readonly parentId: string; readonly code: ReturnType<typeof codeOf> }>();
  const shown: SegmentSpan[] = [];
  for (const span of spans) {
    const wrapper = above.get(span.parentId);
    const { parentId, code } = wrapper ?? { parentId: span.parentId, code: undefined };
    if (wrappers.has(span.id)) above.set(span.id, { parentId, code: codeOf(span) ?? code });
    else if (!wrapper) shown.push(span);
    else
      shown.push({ ...span, parentId, attributes: codeOf(span) ? span.attributes : { ...span.attributes, ...code } });
  }
  return shown;
}

const none: NonNullable<Problem['facts']> = [];

/** The first span that says where it was called: SDKs say it of slow queries, so that not each of a loop does. */
export function calledFrom(spans: readonly Pick<SegmentSpan, 'attributes' | 'numbers'>[]): typeof none {
  for (const { attributes, numbers } of spans) {
    const value = callSiteText({
      function: wholeFunction(attributes['code.namespace'] ?? '', attributes['code.function.name'] ?? ''),
      file: attributes['code.file.path'] ?? '',
      line: numbers['code.line.number'] ?? 0,
    });
    if (value) return [{ name: facts.calledFrom, value }];
  }
  return none;
}
