/** A few rows of a waterfall, and what of its issues and logs belongs beside them. */
import type { z } from 'zod';
import { chooseExcerpt } from '../../domains/traces/index.ts';
import type { TraceExcerpt } from './excerpt-contract.ts';
import type { getWaterfall } from './contract.ts';

type Waterfall = z.output<typeof getWaterfall.response>;
type Excerpt = z.output<typeof TraceExcerpt>;
type ExcerptIssue = Excerpt['issues'][number];

export interface ExcerptQuestion {
  /** Span ids; the first is what it is about. */
  readonly span: readonly string[];
  readonly event?: string | undefined;
  /** Rows, at most. */
  readonly rows: number;
}

const serviceLimit = 20;
const issueLimit = 10;
const logLimit = 8;

export function toExcerpt(waterfall: Waterfall, { span, event, rows: limit }: ExcerptQuestion): Excerpt {
  const { rows, errors, problems, logs } = waterfall;
  const error = event === undefined ? undefined : errors.find(({ eventId }) => eventId === event);
  const problem = event === undefined ? undefined : problems.find(({ eventId }) => eventId === event);
  const asked = askedRows(waterfall, span, [
    ...(error ? [error.row] : []),
    ...(problem ? [...problem.causes, ...problem.offenders] : []),
  ]);
  const marked = new Set(asked);
  const places = chooseExcerpt(rows, asked, limit);
  const [target] = asked;
  const offsetUs = error?.offsetUs ?? (target === undefined ? undefined : rows[target]?.offsetUs);
  const { issueId: own } = error ?? problem ?? {};
  return {
    traceId: waterfall.traceId,
    startUs: waterfall.startUs,
    durationUs: waterfall.durationUs,
    spans: waterfall.spans,
    services: [...new Set(waterfall.services.map(({ name }) => name))].filter(Boolean).slice(0, serviceLimit),
    found: target !== undefined,
    offsetUs: offsetUs ?? null,
    rows: places.flatMap(({ row: index, ...place }) => {
      const row = rows[index];
      if (!row) return [];
      const { id, durationUs, op, name, service, status } = row;
      return [
        {
          ...place,
          id,
          offsetUs: row.offsetUs,
          durationUs,
          op,
          name,
          service,
          status,
          ...(row.failed && { failed: true as const }),
          ...(marked.has(index) && { asked: true as const }),
          errors: row.errors?.length ?? 0,
        },
      ];
    }),
    after: rows.length - 1 - (places.at(-1)?.row ?? rows.length - 1),
    issues: otherIssues(waterfall, own ?? undefined),
    logs: logs
      .toSorted((a, b) => Math.abs(a.offsetUs - (offsetUs ?? 0)) - Math.abs(b.offsetUs - (offsetUs ?? 0)))
      .slice(0, logLimit)
      .toSorted((a, b) => a.offsetUs - b.offsetUs)
      .map(({ offsetUs: at, level, message }) => ({ offsetUs: at, level, message })),
  };
}

/** Where each stands that was asked for, without repetition; of several spans with one id the first. */
function askedRows({ rows }: Waterfall, spans: readonly string[], ofEvent: readonly number[]): number[] {
  const wanted = new Set(spans);
  const at = new Map<string, number>();
  if (wanted.size) for (const [index, { id }] of rows.entries()) if (wanted.has(id) && !at.has(id)) at.set(id, index);
  return [...new Set([...ofEvent, ...spans.map((id) => at.get(id) ?? -1)])].filter((row) => row >= 0);
}

/** One entry an issue, without the issue that was asked about. */
function otherIssues({ errors, problems, rows }: Waterfall, own: string | undefined): ExcerptIssue[] {
  const issues = new Map<string, ExcerptIssue>();
  const note = (issueId: string | null, entry: Omit<ExcerptIssue, 'issueId' | 'count'>): void => {
    if (issueId === null || issueId === own) return;
    const known = issues.get(issueId);
    if (!known) issues.set(issueId, { issueId, count: 1, ...entry });
    else if (entry.offsetUs < known.offsetUs) issues.set(issueId, { issueId, count: known.count + 1, ...entry });
    else known.count += 1;
  };
  for (const { issueId, shortId, eventId, title, level, offsetUs } of errors)
    note(issueId, { shortId, eventId, category: 'error', title, level, offsetUs });
  for (const { issueId, shortId, eventId, title, offenders } of problems) {
    const offsetUs = rows[offenders[0] ?? -1]?.offsetUs ?? 0;
    note(issueId, { shortId, eventId, category: 'performance', title, level: 'info', offsetUs });
  }
  return [...issues.values()].toSorted((a, b) => a.offsetUs - b.offsetUs).slice(0, issueLimit);
}
