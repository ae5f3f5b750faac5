/** Transactions of SDKs up to 10, and of 11 where it is set up so: one segment and its spans. */
import type { SpanRow } from '../../../base/tables/spans.ts';
import { settleClientAddress } from '../../steps/client-address.ts';
import { userIdentity } from '../../steps/normalize/user.ts';
import { asText } from '../../steps/json.ts';
import { Remarks } from '../../steps/remarks.ts';
import { scrubEvent } from '../../steps/scrub/index.ts';
import { addClientContexts } from '../../steps/user-agent/index.ts';
import type { CountedOutcome, ItemContext, ItemResult } from '../../types.ts';
import type { ItemTypes } from '../item-types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';
import { keepRefused } from '../refused.ts';
import { parseTransaction, type Transaction } from './parse.ts';
import { spanRows } from './rows.ts';
import { addSurroundings } from './surroundings.ts';

export const types = { transaction: processTransaction } satisfies ItemTypes;

const category = 'transaction';

export function processTransaction(item: ReceivedItem, context: ItemContext): ItemResult {
  const remarks = new Remarks();
  const parsed = parseTransaction(item.payload, context, remarks);
  if (!parsed.ok) {
    return keepAside(item, context, category, { kind: 'invalid', reason: parsed.reason, detail: parsed.detail });
  }
  const { transaction } = parsed;
  const spans = finishTransaction(transaction, context, remarks);
  const outcomes = outcomesOf(transaction, spans.length);
  return { outcomes, rows: { spans }, kept: keepRefused(transaction.refused, context) };
}

function finishTransaction(transaction: Transaction, context: ItemContext, remarks: Remarks): SpanRow[] {
  const { event, root } = transaction;
  addClientContexts(event, context);
  settleClientAddress(event, context.remoteAddress, context.settings.storeIpAddresses);
  scrubEvent(event, context.settings, remarks);
  addSurroundings(root.attributes, event);
  const sender = {
    // Nothing said; the SDK's name tells.
    platform: event.platform === 'other' ? undefined : event.platform,
    environment: event.environment,
    release: event.release,
    dist: event.dist,
    host: event.server_name,
    app: asText(event.contexts?.app?.app_name),
    user: userIdentity(event.user),
    sdkName: event.sdk?.name,
    sdkVersion: event.sdk?.version,
  };
  // The clock is the spans' matter; what the event says of it is said already.
  const others = remarks.errors.filter(({ name }) => name !== 'timestamp');
  const noted = others.map(({ type, name = '', value }) => ({ field: name, what: type, was: value ?? '' }));
  return spanRows({ ...transaction, remarks: [...transaction.remarks, ...noted] }, sender, context);
}

/** The segment is a span too. */
function outcomesOf({ refused }: Transaction, spans: number): CountedOutcome[] {
  return [
    { category, outcome: { kind: 'accepted' }, quantity: 1 },
    { category: 'span', outcome: { kind: 'accepted' }, quantity: spans },
    ...refused.outcomes(),
  ];
}
