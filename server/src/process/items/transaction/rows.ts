/** The rows of a transaction: its segment first, then its spans as they came. */
import type { SpanRow } from '../../../base/tables/spans.ts';
import { finishSpan, attachSpans, selfTime, type SpanRemark, type SpanSender } from '../../steps/span/index.ts';
import type { OldSpan } from '../../steps/span/old-span.ts';
import type { ItemContext } from '../../types.ts';
import type { Transaction } from './parse.ts';

type Closed = OldSpan & { readonly endUs: number };

export function spanRows(
  { root, spans, source, shiftUs, remarks }: Transaction,
  sender: SpanSender,
  context: ItemContext,
): SpanRow[] {
  // A span that was open when its transaction ended, ended with it.
  const closed = spans.map((span): Closed =>
    span.endUs === undefined
      ? { ...span, endUs: Math.max(root.endUs, span.startUs), status: 'deadline_exceeded' }
      : (span as Closed),
  );
  const places = attachSpans(root.spanId, closed);
  const children = new Map<number, Closed[]>();
  for (const [index, span] of closed.entries()) {
    const parent = places[index]?.parent ?? -1;
    const siblings = children.get(parent);
    if (siblings) siblings.push(span);
    else children.set(parent, [span]);
  }
  const rowOf = (span: Closed, index: number, parentSpanId: string, noted: readonly SpanRemark[]): SpanRow =>
    finishSpan(
      {
        ...span,
        traceId: root.traceId,
        segmentId: root.spanId,
        parentSpanId,
        isSegment: index < 0,
        transaction: root.name,
        transactionSource: source,
        startUs: span.startUs + shiftUs,
        endUs: span.endUs + shiftUs,
        exclusiveUs: selfTime(span, children.get(index) ?? []),
        sender,
        remarks: noted,
      },
      context,
    );
  const rows = [rowOf(root, -1, root.parentSpanId, remarks)];
  for (const [index, span] of closed.entries()) {
    const { parent, broken } = places[index] ?? { parent: -1 };
    const noted: SpanRemark[] =
      broken === undefined ? [] : [{ field: 'parent_span_id', what: broken, was: span.parentSpanId }];
    if (spans[index]?.endUs === undefined) noted.push({ field: 'duration_us', what: 'open_span' });
    if (span.traceId !== undefined && span.traceId !== root.traceId) {
      noted.push({ field: 'trace_id', what: 'other_trace', was: span.traceId });
    }
    const parentSpanId = parent < 0 ? root.spanId : (closed[parent]?.spanId ?? root.spanId);
    rows.push(rowOf(span, index, parentSpanId, noted));
  }
  return rows;
}
