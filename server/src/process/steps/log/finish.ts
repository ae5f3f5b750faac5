/** From a log record as its sender gives it to the row that is stored. Pure, and the same for the same input. */
import { withoutColours } from '../../../base/ansi.ts';
import type { LogRow } from '../../../base/tables/logs.ts';
import { keepsAddresses, settleAddress } from '../client-address.ts';
import { asText } from '../json.ts';
import { cutText } from '../limits.ts';
import { Remarks } from '../remarks.ts';
import { BagCleaner, logFields, scrubFields, scrubRules, scrubText } from '../scrub/index.ts';
import { readAttributes, type ReadAttributes } from '../span/attributes.ts';
import { addBrowser } from '../span/browser.ts';
import { logByOwnRules } from '../span/by-own-rules.ts';
import type { SpanContext, SpanRemark, SpanSender } from '../span/input.ts';
import { remarksText } from '../span/finish.ts';
import { platformOf } from '../span/platform.ts';
import { columnText, safeText, senderColumns } from '../span/sender.ts';
import type { Severity } from './severity.ts';

/** A record before its body and its attributes are read. Texts are as sent. */
export interface LogInput {
  /** 32 lower-case hex digits, undefined for none. */
  readonly traceId: string | undefined;
  /** 16 lower-case hex digits, undefined for none. */
  readonly spanId: string | undefined;
  /** µs since the epoch, undefined where the sender does not say. */
  readonly atUs: number | undefined;
  /** When it was collected, where that is said. */
  readonly observedUs?: number | undefined;
  /** Orders the records of one moment: a number that the sender gives, 0 for none. */
  readonly sequence: number;
  readonly severity: Severity;
  /** Text, or any other value. */
  readonly body: unknown;
  /** Plain values under old or new names; those of the resource are merged in by whoever makes the input. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly sender?: SpanSender | undefined;
  readonly remarks?: readonly SpanRemark[] | undefined;
}

const maxBody = { max: 16_384, allowance: 0 };
/** What is looked at before it is cut: what is secret shall not hide behind the cut. */
const maxScanned = 20_000;
const bodyLimit = { maxSize: maxScanned, maxDepth: 8, maxText: maxBody.max, maxEntries: 2_000 };
const maxOrigin = { max: 128, allowance: 0 };
const maxRemarks = 20;

/** Never refuses; what is wrong is bounded and noted. The place is the record's among those that came with it. */
export function finishLog(sent: LogInput, times: LogTimes, context: SpanContext): LogRow {
  const remarks: SpanRemark[] = [];
  const add = (remark: SpanRemark): void => {
    if (remarks.length < maxRemarks) remarks.push(remark);
  };
  for (const remark of [...times.remarks, ...(sent.remarks ?? [])]) add(remark);
  const raw = logByOwnRules(sent, context.settings, add);
  const read = readAttributes(raw.attributes, context.settings, add);
  const { attributes, numbers } = read;
  const platform = platformOf(raw, read);
  addBrowser(attributes, platform, raw.sender?.inferUserAgent === true, context);
  addAddress(read, platform, raw.sender, context);
  const { environment, release, service, sdk_name, sdk_version } = senderColumns(raw, read, platform, add);
  const row: LogRow = {
    project_id: context.projectId,
    timestamp: times.atUs,
    sequence: times.sequence,
    observed_at: times.observedUs,
    received_at: context.receivedAt,
    trace_id: raw.traceId ?? '',
    span_id: raw.spanId ?? '',
    level: raw.severity.level,
    severity_number: raw.severity.number,
    body: bodyText(raw.body, context, add),
    origin: cutText(columnText(read, 'sentry.origin'), maxOrigin),
    service,
    environment,
    release,
    sdk_name,
    sdk_version,
    attributes,
    numbers,
    remarks: remarksText(remarks, context.settings),
  };
  scrubFields(row, logFields, scrubRules(context.settings));
  return row;
}

/** As they are stored. */
export interface LogTimes {
  readonly atUs: number;
  readonly observedUs: number;
  readonly sequence: number;
  readonly remarks: readonly SpanRemark[];
}

/** Bodies are for reading: only what is secret in them goes. Those that are no text are stored as JSON. */
function bodyText(body: unknown, { settings }: SpanContext, add: (remark: SpanRemark) => void): string {
  const rules = scrubRules(settings);
  if (typeof body === 'object' && body !== null) {
    const json = JSON.stringify(new BagCleaner(rules, new Remarks()).clean(body, bodyLimit)) ?? '';
    if (json.length > maxBody.max) add({ field: 'body', what: 'cut', was: json.length });
    return cutText(json, maxBody);
  }
  const sent = asText(body) ?? '';
  if (sent.length > maxBody.max) add({ field: 'body', what: 'cut', was: sent.length });
  const text = withoutColours(sent.slice(0, maxScanned));
  return cutText(scrubText(safeText(text), 'message', rules), maxBody);
}

/** The address of who used the page, where the project keeps addresses and the sender asks for it. */
function addAddress(
  { attributes }: ReadAttributes,
  platform: string,
  sender: SpanSender | undefined,
  { remoteAddress, settings }: SpanContext,
): void {
  const claimed = attributes['user.ip_address'];
  const infer = sender?.inferIp === true && platform === 'javascript';
  if (claimed === undefined && !infer) return;
  const address = settleAddress({ claimed, infer }, remoteAddress, keepsAddresses(settings));
  if (address === undefined) delete attributes['user.ip_address'];
  else attributes['user.ip_address'] = address;
}
