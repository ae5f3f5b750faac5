/**
 * Item types: which one takes an item. A new type is a folder and a line in the table. Nothing here throws for bad
 * input: a surprise becomes the outcome `invalid:internal`, and the item is kept aside.
 */
import { itemType } from '@culprit/envelope';
import type { ItemContext, ItemResult, Outcome } from '../types.ts';
import { processClientReport } from './client-report/index.ts';
import { processEvent } from './event/index.ts';
import { countOnly, keepAside, processKept, type ReceivedItem } from './kept/index.ts';
import { processSecurity } from './security/index.ts';

export { keepAside, type ReceivedItem } from './kept/index.ts';

type ProcessItem = (item: ReceivedItem, context: ItemContext) => ItemResult;

const types: ReadonlyMap<string, ProcessItem> = new Map<string, ProcessItem>([
  ['event', processEvent],
  ['client_report', processClientReport],
  ['raw_security', processSecurity],
  ['security', processSecurity],
]);

/** Every item ends in at least one outcome. Synchronous, and the same for the same input. */
export function processItem(item: ReceivedItem, context: ItemContext): ItemResult {
  const process = types.get(item.type) ?? processKept;
  try {
    return process(item, context);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const { category } = itemType(item.type);
    const outcome: Outcome = { kind: 'invalid', reason: 'internal', detail };
    try {
      return keepAside(item, context, category, outcome);
    } catch {
      return countOnly(item, context, category, outcome);
    }
  }
}
