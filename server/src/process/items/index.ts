/**
 * Item types: which one takes an item. Nothing here throws for bad input: a surprise becomes the outcome
 * `invalid:internal`, and the item is kept aside.
 */
import { scrubRows } from '../steps/scrub/rows.ts';
import type { ItemContext, ItemResult } from '../types.ts';
import { types } from './all.ts';
import { orKept, processKept, type ReceivedItem } from './kept/index.ts';

export { keepAside, type ReceivedItem } from './kept/index.ts';

const byName = new Map(Object.entries(types));

/** Every item ends in at least one outcome. Synchronous, and the same for the same input. */
export function processItem(item: ReceivedItem, context: ItemContext): ItemResult {
  const process = byName.get(item.type) ?? processKept;
  return orKept(item, context, () => {
    const result = process(item, context);
    if (result.rows) scrubRows(result.rows, context.settings);
    return result;
  });
}
