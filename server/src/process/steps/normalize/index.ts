/**
 * Normalisation: whatever a client sent as an event becomes an `Event` of known shape, old spellings included. Unknown
 * top-level keys are left out. Nothing is refused: what cannot be read is left out with a remark.
 */
import { parseEventId } from '@culprit/envelope';
import { type Event, tagValue, type Thread } from '../event.ts';
import { asCount, asList, asObject, asText, type JsonObject } from '../json.ts';
import type { PartTaking } from '../known-parts.ts';
import type { StackTaking } from '../known-stacks.ts';
import { countLimits, cutText, textLimits } from '../limits.ts';
import { type Remarks, sentRemarks } from '../remarks.ts';
import type { Taking } from '../taking.ts';
import { parseBreadcrumbs } from './breadcrumbs.ts';
import { adoptStacktrace, parseExceptions } from './exceptions.ts';
import { parseStacktrace } from './frames.ts';
import { parseDist, parseEnvironment, parseLogger, parseRelease } from './identity.ts';
import { parseLevel, parsePlatform } from './level.ts';
import { parseLogEntry, withoutQuotes } from './logentry.ts';
import { parseContexts, parseDebugMeta, parseModules, parseSdk } from './metadata.ts';
import { parseRequest } from './request.ts';
import { parseReport, securityKinds } from './security.ts';
import { parseTags } from './tags.ts';
import { parseThreads } from './threads.ts';
import { correctClock, parseTime, toSeconds } from './time.ts';
import { parseUser } from './user.ts';

export interface NormalizeInput {
  /** ms since the epoch. */
  readonly receivedAt: number;
  readonly sentAt?: number;
  /** Whether it may be older than what clients send. */
  readonly anyAge?: boolean;
  /** Wins over the payload's. */
  readonly eventId?: string;
  /** The id of an event without one; the same for the same input, so that a repeated batch stores the same rows. */
  readonly makeEventId: () => string;
  /** What was taken out of the payload. */
  readonly taking?: Taking | undefined;
}

/** Names that older clients use, lower case, by the name used now. */
const oldNames: readonly (readonly [name: string, old: string])[] = [
  ['exception', 'sentry.interfaces.Exception'],
  ['stacktrace', 'sentry.interfaces.Stacktrace'],
  ['logentry', 'sentry.interfaces.Message'],
  ['request', 'sentry.interfaces.Http'],
  ['user', 'sentry.interfaces.User'],
  ['breadcrumbs', 'sentry.interfaces.Breadcrumbs'],
  ['contexts', 'sentry.interfaces.Contexts'],
  ['threads', 'sentry.interfaces.Threads'],
  ['debug_meta', 'sentry.interfaces.DebugMeta'],
  ['template', 'sentry.interfaces.Template'],
  ['csp', 'sentry.interfaces.Csp'],
];

export function normalizeEvent(raw: JsonObject, input: NormalizeInput, remarks: Remarks): Event {
  const fields = modernNames(raw);
  const clock = correctClock({
    timestampMs: parseTime(fields.timestamp),
    sentAtMs: input.sentAt,
    receivedMs: input.receivedAt,
    anyAge: input.anyAge,
  });
  if (clock.remark) remarks.error(clock.remark, 'timestamp', String(fields.timestamp));
  const { _meta: meta } = fields;
  if (meta !== undefined) remarks.sent = sentRemarks(meta);
  const { tags, environment } = parseTags(fields.tags, remarks);
  const event: Event = {
    event_id: input.eventId ?? parseEventId(fields.event_id) ?? input.makeEventId(),
    type: 'default',
    level: 'error',
    platform: parsePlatform(fields.platform),
    timestamp: toSeconds(clock.timestampMs),
    received: toSeconds(input.receivedAt),
    release: parseRelease(fields.release, remarks),
    dist: parseDist(fields.dist, remarks),
    environment: parseEnvironment(fields.environment ?? environment, remarks),
    transaction: bounded(fields.transaction ?? fields.culprit, 'name'),
    logger: parseLogger(fields.logger),
    server_name: bounded(fields.server_name, 'name'),
    tags,
  };
  const { parts, stacks } = input.taking ?? {};
  if (stacks) stacks.platform = event.platform;
  addWhatHappened(event, fields, remarks, stacks);
  event.level = parseLevel(fields.level) ?? 'error';
  const breadcrumbs = parseBreadcrumbs(fields.breadcrumbs, clock.shiftMs, remarks);
  if (breadcrumbs.length > 0) event.breadcrumbs = { values: breadcrumbs };
  addSurroundings(event, fields, remarks, parts);
  if (event.logentry?.params && event.sdk?.name === 'raven-python') event.logentry = withoutQuotes(event.logentry);
  addTag(event, 'site', asText(fields.site));
  return event;
}

function modernNames(raw: JsonObject): JsonObject {
  let fields = raw;
  for (let index = 0; index < oldNames.length; index++) {
    const [name, old] = oldNames[index] ?? ['', ''];
    if (!(old in raw) || raw[name] !== undefined) continue;
    if (fields === raw) fields = { ...raw };
    fields[name] = raw[old];
  }
  return fields;
}

/** Exceptions, stacks, message, security report: what decides title and grouping. */
function addWhatHappened(event: Event, fields: JsonObject, remarks: Remarks, taking: StackTaking | undefined): void {
  const exceptions = parseExceptions(fields.exception, remarks, taking);
  const stacktrace = parseStacktrace(fields.stacktrace, remarks, ['stacktrace'], taking);
  const adopted = adoptStacktrace(exceptions, stacktrace);
  if (exceptions.length > 0) event.exception = { values: exceptions };
  if (stacktrace && !adopted) event.stacktrace = stacktrace;
  const threads: Thread[] = parseThreads(fields.threads, remarks, taking);
  if (threads.length > 0) event.threads = { values: threads };
  const logentry = parseLogEntry(fields.logentry ?? fields.message, remarks) ?? parseLogEntry(fields.message, remarks);
  if (logentry) event.logentry = logentry;
  const template = asObject(fields.template);
  if (template) {
    event.template = {
      filename: bounded(template.filename, 'path'),
      abs_path: bounded(template.abs_path, 'absPath'),
      lineno: asCount(template.lineno),
      context_line: bounded(template.context_line, 'contextLine'),
    };
  }
  if (exceptions.length > 0) event.type = 'error';
  for (const kind of securityKinds) {
    const report = asObject(fields[kind]);
    if (!report) continue;
    event[kind] = parseReport(report);
    if (event.type === 'default') event.type = kind;
  }
  const fingerprint = parseFingerprint(fields.fingerprint);
  if (fingerprint.length > 0) event.fingerprint = fingerprint;
  const checksum = asText(fields.checksum);
  if (checksum !== undefined) event.checksum = cutText(checksum, textLimits.short);
}

function addSurroundings(event: Event, fields: JsonObject, remarks: Remarks, taking: PartTaking | undefined): void {
  const user = parseUser(fields.user);
  if (user) event.user = user;
  const request = parseRequest(fields.request, remarks);
  if (request) event.request = request;
  const contexts = parseContexts(fields.contexts);
  if (contexts) event.contexts = contexts;
  const extra = asObject(fields.extra);
  if (extra) event.extra = extra;
  const modules = taking ? taking.take('modules', fields.modules, parseModules) : parseModules(fields.modules);
  if (modules) event.modules = modules;
  const sdk = taking ? taking.take('sdk', fields.sdk, parseSdk) : parseSdk(fields.sdk);
  if (sdk) event.sdk = sdk;
  const debugMeta = taking
    ? taking.take('debug_meta', fields.debug_meta, parseDebugMeta)
    : parseDebugMeta(fields.debug_meta);
  if (debugMeta) event.debug_meta = debugMeta;
  const source = asText(asObject(fields.transaction_info)?.source);
  if (source !== undefined) event.transaction_info = { source: cutText(source, textLimits.symbol) };
  for (const entry of (asList(fields.errors) ?? []).slice(0, 10)) {
    const type = asText(asObject(entry)?.type);
    if (type !== undefined) remarks.error(cutText(type, textLimits.symbol), asText(asObject(entry)?.name));
  }
}

function parseFingerprint(value: unknown): string[] {
  const list = asList(value) ?? (typeof value === 'string' ? [value] : []);
  const entries: string[] = [];
  for (const entry of list) {
    if (entries.length === countLimits.fingerprint) break;
    const text = asText(entry);
    if (text !== undefined) entries.push(text.slice(0, 1024).toWellFormed());
  }
  return entries;
}

/** Adds a tag unless the event has it. */
export function addTag(event: Event, key: string, value: string | undefined): void {
  if (value === undefined || value === '' || tagValue(event, key) !== undefined) return;
  const line = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]+/g, ' ') : value;
  event.tags.push([key, cutText(line, textLimits.name)]);
}

function bounded(value: unknown, limit: keyof typeof textLimits): string | undefined {
  const text = asText(value);
  return text === undefined ? undefined : cutText(text, textLimits[limit]);
}
