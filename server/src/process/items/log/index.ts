/** Containers of logs, as Sentry's SDKs send them. */
import { decodeJson } from '../../steps/decode.ts';
import { finishRecords, type LogInput } from '../../steps/log/index.ts';
import type { ItemContext, ItemResult } from '../../types.ts';
import type { ItemTypes } from '../item-types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';
import { keepRefused, RefusedEntries } from '../refused.ts';
import { containerItems, containerSender } from '../span/container.ts';
import { readLog } from './read.ts';

export const types = { log: processLogs } satisfies ItemTypes;

const category = 'log_item';
/** As ingestion lets through. */
const maxBytes = 12 * 1024 * 1024;
/** SDKs send at most 100. */
const maxLogs = 10_000;

function processLogs(item: ReceivedItem, context: ItemContext): ItemResult {
  const decoded = decodeJson(item.payload, maxBytes);
  if (!decoded.ok) {
    return keepAside(item, context, category, { kind: 'invalid', reason: decoded.reason, detail: decoded.detail });
  }
  // One alone is taken as a container of one.
  const { items, settings } = containerItems(decoded.value) ?? { items: [decoded.value], settings: undefined };
  if (items.length === 0)
    return { outcomes: [{ category, outcome: { kind: 'invalid', reason: 'empty' }, quantity: 1 }] };
  const sender = containerSender(settings);
  const logs: LogInput[] = [];
  const refused = new RefusedEntries('logs');
  for (const entry of items.length > maxLogs ? items.slice(0, maxLogs) : items) {
    const read = readLog(entry, sender);
    if (read.ok) logs.push(read.log);
    else refused.add(read, entry);
  }
  refused.cut(items.length - maxLogs);
  const accepted = { category, outcome: { kind: 'accepted' }, quantity: logs.length } as const;
  return {
    rows: { logs: finishRecords(logs, context) },
    kept: keepRefused(refused, context),
    outcomes: [...(logs.length === 0 ? [] : [accepted]), ...refused.outcomes()],
  };
}
