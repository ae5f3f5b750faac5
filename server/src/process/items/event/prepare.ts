/** The steps between normalising an event and what is made of its frames. */
import { settleClientAddress } from '../../steps/client-address.ts';
import { findDigest } from '../../steps/digest.ts';
import type { Event } from '../../steps/event.ts';
import { type FilterId, filtersOf, judgeEvent } from '../../steps/filters/index.ts';
import { addTag } from '../../steps/normalize/index.ts';
import type { Remarks } from '../../steps/remarks.ts';
import { scrubEvent } from '../../steps/scrub/index.ts';
import { addClientContexts, addDerivedTags } from '../../steps/user-agent/index.ts';
import type { CountedOutcome, ItemContext } from '../../types.ts';

export interface Prepared {
  readonly event: Event;
  readonly digest: string;
  readonly remarks: Remarks;
}

/** By a filter of its project. */
interface Dropped {
  readonly event: undefined;
  readonly dropped: FilterId;
}

export const filteredOut = (counted: string, reason: FilterId, quantity = 1): CountedOutcome => ({
  category: counted,
  outcome: { kind: 'filtered', reason },
  quantity,
});

/** The steps from a normalised event to one that may be stored; browsers' security reports go the same way. */
export function prepareEvent(event: Event, context: ItemContext, remarks: Remarks): Prepared | Dropped {
  const { settings } = context;
  addClientContexts(event, context);
  // Before the address is gone. What is imported was wanted elsewhere, and stays.
  const filters = context.imported ? undefined : filtersOf(settings);
  const dropped = filters && judgeEvent(filters, event, context);
  if (dropped) return { event: undefined, dropped };
  settleClientAddress(event, context.remoteAddress, settings.storeIpAddresses);
  // Before scrubbing, which may cut the breadcrumb that holds it.
  const digest = findDigest(event);
  addDerivedTags(event);
  scrubEvent(event, settings, remarks);
  addTag(event, 'logger', event.logger);
  return { event, digest, remarks };
}
