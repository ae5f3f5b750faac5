/** What filters of a project leave of the rows of an item, and of what came with an event that they dropped. */
import { itemQuantity, itemType } from '@culprit/envelope';
import type { SpanRow } from '../../base/tables/spans.ts';
import { itemTable } from '../../base/tables/index.ts';
import { type FilteredTable, type FilterId, filtersOf, judgeRow } from '../steps/filters/index.ts';
import type { CountedOutcome, ItemContext, ItemResult, ItemRows } from '../types.ts';
import { filteredOut } from './event/index.ts';
import type { ReceivedItem } from './kept/index.ts';

const tables = ['spans', 'logs', 'sessions'] as const satisfies readonly FilteredTable[];

/** The result without the rows that are dropped, which are counted as that. */
export function filterRows(result: ItemResult, context: ItemContext): ItemResult {
  const filters = result.rows && !context.imported ? filtersOf(context.settings) : undefined;
  if (!filters || filters.rows.length + filters.spans.length === 0) return result;
  let { outcomes, dropped } = result;
  let rows: ItemRows = result.rows ?? {};
  for (const table of tables) {
    const all = rows[table] ?? [];
    const own = all.map((row) => judgeRow(filters, table, row, context));
    const reasons = table === 'spans' ? withSegments(rows.spans ?? [], own) : own;
    if (reasons.every((reason) => reason === undefined)) continue;
    rows = { ...rows, [table]: all.filter((_, index) => reasons[index] === undefined) };
    const category = itemTable(table).category ?? table;
    outcomes = recounted(outcomes, category, reasons);
    // The segment of a transaction is its first row; its name is that of all others.
    if (table === 'spans' && outcomes.some((one) => one.category === 'transaction')) {
      dropped = reasons[0];
      outcomes = recounted(outcomes, 'transaction', [dropped]);
    }
  }
  return { ...result, rows, outcomes, ...(dropped && { dropped }) };
}

/** Spans go with their segment where this is dropped: what it is called may say less than its address. */
function withSegments(rows: readonly SpanRow[], reasons: readonly (FilterId | undefined)[]): (FilterId | undefined)[] {
  const dropped = new Map<string, FilterId>();
  for (const [index, { span_id: id, is_segment: isSegment }] of rows.entries()) {
    const reason = reasons[index];
    if (isSegment === 1 && reason) dropped.set(id, reason);
  }
  return rows.map(({ segment_id: segment }, index) => reasons[index] ?? dropped.get(segment));
}

/** Takes from what was accepted of a category what was dropped of it; an item that counts as one is dropped with all its rows. */
function recounted(
  outcomes: readonly CountedOutcome[],
  category: string,
  reasons: readonly (FilterId | undefined)[],
): CountedOutcome[] {
  const counts = new Map<FilterId, number>();
  for (const reason of reasons) if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return outcomes.flatMap((one) => {
    if (one.category !== category || one.outcome.kind !== 'accepted') return [one];
    let left = one.quantity;
    const taken: CountedOutcome[] = [];
    for (const [reason, count] of counts) {
      const quantity = count === reasons.length ? left : Math.min(count, left);
      left -= quantity;
      if (quantity > 0) taken.push(filteredOut(category, reason, quantity));
    }
    return left > 0 ? [{ ...one, quantity: left }, ...taken] : taken;
  });
}

/** Pictures of the screen, profiles and files say nothing without the event that they came with. */
const accompanying: ReadonlySet<string> = new Set(['attachment', 'profile']);

export const goesWithEvent = ({ type }: ReceivedItem): boolean => accompanying.has(type);

/** What accompanied an event that a filter dropped. */
export function droppedWith(item: ReceivedItem, reason: FilterId): ItemResult {
  const type = itemType(item.type);
  const quantity = itemQuantity(type, { ...item.header, type: item.type });
  return { outcomes: [filteredOut(type.category, reason, quantity)] };
}
