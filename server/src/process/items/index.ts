/**
 * Item types: which one takes an item. A new type is a folder and a line in the table. Nothing here throws for bad
 * input: a surprise becomes the outcome `invalid:internal`, and the item is kept aside.
 */
import type { ItemContext, ItemResult } from '../types.ts';
import { processClientReport } from './client-report/index.ts';
import { processEvent } from './event/index.ts';
import { orKept, processKept, type ReceivedItem } from './kept/index.ts';
import { processLogs } from './log/index.ts';
import { otlpItemTypes } from './otlp/index.ts';
import { processSecurity } from './security/index.ts';
import { processCountedSessions, processSession } from './session/index.ts';
import { processSpans } from './span/index.ts';
import { processTransaction } from './transaction/index.ts';

export { keepAside, type ReceivedItem } from './kept/index.ts';

type ProcessItem = (item: ReceivedItem, context: ItemContext) => ItemResult;

const types: ReadonlyMap<string, ProcessItem> = new Map<string, ProcessItem>([
  ['event', processEvent],
  ['transaction', processTransaction],
  ['span', processSpans],
  ['log', processLogs],
  ['session', processSession],
  ['sessions', processCountedSessions],
  ['client_report', processClientReport],
  ['raw_security', processSecurity],
  ['security', processSecurity],
  ...otlpItemTypes,
]);

/** Every item ends in at least one outcome. Synchronous, and the same for the same input. */
export function processItem(item: ReceivedItem, context: ItemContext): ItemResult {
  const process = types.get(item.type) ?? processKept;
  return orKept(item, context, () => process(item, context));
}
