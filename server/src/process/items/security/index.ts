/** Reports that browsers send by themselves (CSP and its like): each becomes an event with title and grouping. */
import { parseEventId } from '@culprit/envelope';
import { decodeJson } from '../../steps/decode.ts';
import type { SecurityReport } from '../../steps/event.ts';
import { asList, asText, type JsonObject } from '../../steps/json.ts';
import { parseBrowserReport } from '../../steps/normalize/security.ts';
import { Remarks } from '../../steps/remarks.ts';
import { securityTitle } from '../../steps/security-report.ts';
import type { CountedOutcome, ItemContext, ItemResult, ProcessedEvent } from '../../types.ts';
import { filteredOut, finishEvent, prepareEvent } from '../event/index.ts';
import { normalize } from '../event/parse.ts';
import type { ItemTypes } from '../item-types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';
import { itemProblems } from '../../../base/texts/events.ts';

export const types = { raw_security: processSecurity, security: processSecurity } satisfies ItemTypes;

const category = 'security';
/** The Reporting API sends several at once. */
const maxReports = 100;

function processSecurity(item: ReceivedItem, context: ItemContext): ItemResult {
  const decoded = decodeJson(item.payload);
  if (!decoded.ok)
    return keepAside(item, context, category, { kind: 'invalid', reason: decoded.reason, detail: decoded.detail });
  const events: ProcessedEvent[] = [];
  const dropped: CountedOutcome[] = [];
  for (const entry of (asList(decoded.value) ?? [decoded.value]).slice(0, maxReports)) {
    const report = parseBrowserReport(entry);
    if (!report) continue;
    const event = toEvent(report, item, context, events.length);
    if ('outcome' in event) dropped.push(event);
    else events.push(event);
  }
  if (events.length + dropped.length === 0) {
    return keepAside(item, context, category, {
      kind: 'invalid',
      reason: 'security_report',
      detail: itemProblems.unknownReport,
    });
  }
  const accepted = { category, outcome: { kind: 'accepted' }, quantity: events.length } as const;
  return { outcomes: [...(events.length > 0 ? [accepted] : []), ...dropped], events };
}

/** Or that a filter dropped it. */
function toEvent(
  security: SecurityReport,
  item: ReceivedItem,
  context: ItemContext,
  index: number,
): ProcessedEvent | CountedOutcome {
  const { kind, report } = security;
  const remarks = new Remarks();
  const raw: JsonObject = {
    [kind]: report,
    platform: 'other',
    logger: kind,
    level: report.disposition === 'report' ? 'warning' : 'error',
    message: securityTitle(security),
    release: item.header.sentry_release,
    environment: item.header.sentry_environment,
    request: requestOf(report, context),
    tags: tagsOf(security),
  };
  // Only the first report may take the id of the envelope; the others get ids made of the payload and their place.
  const own = index === 0 ? parseEventId(context.envelopeEventId) : undefined;
  const payload = index === 0 ? item.payload : Buffer.concat([item.payload, Buffer.from(`#${index}`)]);
  const event = normalize(raw, payload, { ...context, envelopeEventId: own }, remarks);
  if (context.settings.storeIpAddresses && context.remoteAddress !== undefined)
    event.user = { ip_address: context.remoteAddress };
  const prepared = prepareEvent(event, context, remarks);
  return prepared.event ? finishEvent(prepared, context, [], category) : filteredOut(category, prepared.dropped);
}

function requestOf(report: JsonObject, context: ItemContext): JsonObject {
  const headers: [string, string][] = [];
  if (context.userAgent !== undefined) headers.push(['User-Agent', context.userAgent]);
  const referrer = asText(report.referrer);
  if (referrer !== undefined) headers.push(['Referer', referrer]);
  return { url: report.document_uri, headers };
}

function tagsOf({ kind, report }: SecurityReport): [string, unknown][] {
  if (kind !== 'csp') return [['hostname', report.hostname]];
  return [
    ['effective-directive', report.effective_directive],
    ['blocked-uri', asText(report.blocked_uri)?.slice(0, 200).toWellFormed()],
  ];
}
