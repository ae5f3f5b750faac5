/** What SDKs threw away before it was sent: each entry becomes an outcome of its own. */
import { decodeJson } from '../../steps/decode.ts';
import { asCount, asList, asObject, asText } from '../../steps/json.ts';
import { scrubField, type ScrubRules, scrubRules } from '../../steps/scrub/index.ts';
import type { CountedOutcome, ItemContext, ItemResult } from '../../types.ts';
import type { ItemTypes } from '../item-types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';

export const types = { client_report: processClientReport } satisfies ItemTypes;

const category = 'internal';
/** Entries of one report; SDKs send one per reason and category. */
const maxEntries = 200;
const maxQuantity = 1_000_000_000;
const maxBytes = 100 * 1024;
const nameForm = /^[\w.:-]{1,64}$/;

/** The lists of a report, by the outcome that their entries stand for. */
const lists = [
  ['discarded_events', 'client_discard'],
  ['rate_limited_events', 'rate_limited'],
  ['filtered_events', 'filtered'],
  ['filtered_sampling_events', 'filtered'],
] as const;

function processClientReport(item: ReceivedItem, context: ItemContext): ItemResult {
  const decoded = decodeJson(item.payload, maxBytes);
  if (!decoded.ok)
    return keepAside(item, context, category, { kind: 'invalid', reason: decoded.reason, detail: decoded.detail });
  const report = asObject(decoded.value);
  if (!report) return keepAside(item, context, category, { kind: 'invalid', reason: 'not_an_object' });
  const outcomes: CountedOutcome[] = [{ category, outcome: { kind: 'accepted' }, quantity: 1 }];
  for (const [name, kind] of lists) {
    for (const entry of asList(report[name]) ?? []) {
      if (outcomes.length > maxEntries) return { outcomes };
      const discarded = parseDiscarded(entry, scrubRules(context.settings));
      if (discarded)
        outcomes.push({
          category: discarded.category,
          outcome: { kind, reason: discarded.reason },
          quantity: discarded.quantity,
        });
    }
  }
  return { outcomes };
}

function parseDiscarded(
  entry: unknown,
  rules: ScrubRules,
): { reason: string; category: string; quantity: number } | undefined {
  const raw = asObject(entry);
  const quantity = asCount(raw?.quantity);
  if (!raw || quantity === undefined || quantity === 0) return undefined;
  return {
    reason: nameOf(raw.reason, rules),
    category: nameOf(raw.category, rules),
    quantity: Math.min(quantity, maxQuantity),
  };
}

/** Names become rows of a table: whatever else a client writes there is one name. */
function nameOf(value: unknown, rules: ScrubRules): string {
  const text = asText(value);
  return text !== undefined && nameForm.test(text) && scrubField(text, 'id', rules) === text ? text : 'other';
}
