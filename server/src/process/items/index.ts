/**
 * Item types: which one takes an item. Nothing here throws for bad input: a surprise becomes the outcome
 * `invalid:internal`, and the item is kept aside.
 */
import { scrubRows } from '../steps/scrub/rows.ts';
import type { ItemContext, ItemResult } from '../types.ts';
import { filtersOf } from '../steps/filters/index.ts';
import { types } from './all.ts';
import { droppedWith, filterRows, goesWithEvent } from './filtered.ts';
import { orKept, processKept, type ReceivedItem } from './kept/index.ts';

export { keepAside, type ReceivedItem } from './kept/index.ts';

const byName = new Map(Object.entries(types));

/** Every item ends in at least one outcome. Synchronous, and the same for the same input. */
export function processItem(item: ReceivedItem, context: ItemContext): ItemResult {
  const process = byName.get(item.type) ?? processKept;
  return orKept(item, context, () => {
    const result = filterRows(process(item, context), context);
    if (result.rows) scrubRows(result.rows, context.settings);
    return result;
  });
}

/**
 * The items of one envelope, each with its place and what became of it. Where the project has filters, what came with an
 * event is looked at after it, for it is dropped with it.
 */
export function* processItems(
  items: readonly ReceivedItem[],
  context: ItemContext,
): Generator<readonly [index: number, result: ItemResult]> {
  const isOrdered = items.length === 1 || !filtersOf(context.settings) || !items.some(goesWithEvent);
  const places = items.map((_, index) => index);
  const isLater = (index: number): boolean => goesWithEvent(items[index] as ReceivedItem);
  const order = isOrdered ? places : places.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)));
  let dropped: ItemResult['dropped'];
  for (const index of order) {
    const item = items[index] as ReceivedItem;
    const result = dropped && isLater(index) ? droppedWith(item, dropped) : processItem(item, context);
    dropped ??= result.dropped;
    yield [index, result];
  }
}
