/** Error and message events: from the payload to a stored row with its group hashes. */
import { settleClientAddress } from '../../steps/client-address.ts';
import { findDigest } from '../../steps/digest.ts';
import type { Event } from '../../steps/event.ts';
import { groupEvent } from '../../steps/group/index.ts';
import { markInApp } from '../../steps/in-app.ts';
import { addTag } from '../../steps/normalize/index.ts';
import { Remarks } from '../../steps/remarks.ts';
import { scrubEvent } from '../../steps/scrub/index.ts';
import { issueSeed } from '../../steps/title.ts';
import {
  explainTwin,
  sideOf,
  twinBasis,
  twinOf,
  twinVersion,
  viewTag,
  waitingHash,
  waitingSeed,
} from '../../steps/twin.ts';
import { addClientContexts, addDerivedTags } from '../../steps/user-agent/index.ts';
import type { ItemContext, ItemResult, ProcessedEvent } from '../../types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';
import { parseEvent } from './parse.ts';
import { errorRow, traceIdOf } from './rows.ts';

const category = 'error';

export function processEvent(item: ReceivedItem, context: ItemContext): ItemResult {
  const remarks = new Remarks();
  const parsed = parseEvent(item.payload, context, remarks);
  if (!parsed.ok) {
    return keepAside(item, context, category, { kind: 'invalid', reason: parsed.reason, detail: parsed.detail });
  }
  return {
    outcomes: [{ category, outcome: { kind: 'accepted' }, quantity: 1 }],
    events: [finishEvent(parsed.event, context, remarks)],
  };
}

/** The steps from a normalised event to its row; browsers' security reports go the same way. */
export function finishEvent(event: Event, context: ItemContext, remarks: Remarks): ProcessedEvent {
  const { settings } = context;
  addClientContexts(event, context);
  settleClientAddress(event, context.remoteAddress, settings.storeIpAddresses);
  // Before scrubbing, which may cut the breadcrumb that holds it.
  const digest = findDigest(event);
  addDerivedTags(event);
  scrubEvent(event, settings, remarks);
  markInApp(event);
  const { grouping, main } = groupEvent(event);
  if (remarks.errors.length > 0) event.errors = remarks.errors;
  const meta = remarks.meta();
  if (meta) Object.assign(event, { _meta: meta });
  const traceId = traceIdOf(event, context);
  const seed = issueSeed(event, main);
  const twin = twinOf(event, main, digest, traceId);
  const side = sideOf(event);
  if (twin && side === 'browser') addTag(event, viewTag, 'yes');
  const decided = twin?.masked
    ? {
        grouping: { version: twinVersion, hashes: [waitingHash], basis: twinBasis, tree: explainTwin({}) },
        seed: waitingSeed,
      }
    : { grouping, seed };
  const version = twin ? twinVersion : grouping.version;
  const row = errorRow({ event, main, digest, traceId, hashes: decided.grouping.hashes, version, seed }, context);
  return { row, ...decided, side, twin };
}
