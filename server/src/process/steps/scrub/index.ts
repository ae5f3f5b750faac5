/**
 * Scrubbing and trimming of a normalised event, in place, before anything of it is written anywhere. Every text goes
 * through the same rules (`rules.ts`, `text.ts`): those that people look for lose the sensitive part alone, bags of data
 * the whole value; `fields.ts` says which field is what. What is an id by its form, and times, stay as they are.
 */
import type { Event, Frame, Lock, LoosePair, Pair, Sdk, Stacktrace } from '../event.ts';
import { asText, type JsonObject } from '../json.ts';
import { knownPart } from '../known-parts.ts';
import { knownStack } from '../known-stacks.ts';
import { bagLimits, cutText, extraLimits, textLimits } from '../limits.ts';
import { shortLogger } from '../normalize/identity.ts';
import type { Remarks } from '../remarks.ts';
import { BagCleaner } from './bag.ts';
import {
  breadcrumbFields,
  errorFields,
  eventFields,
  exceptionFields,
  frameFields,
  lockFields,
  logEntryFields,
  mechanismFields,
  packageFields,
  requestFields,
  scrubField,
  scrubFields,
  sdkFields,
  templateFields,
  threadFields,
  userFields,
} from './fields.ts';
import { hasOwnRules, scrubByOwnRules, scrubFramesByOwnRules } from './own/index.ts';
import { filtered, type ScrubRules, scrubRules, type ScrubSettings } from './rules.ts';

export { type ScrubRules, scrubRules, type ScrubSettings } from './rules.ts';
export {
  hasOwnRules,
  loadPatterns,
  ownRuleLimits,
  readOwnRules,
  scrubItemByOwnRules,
  scrubLogByOwnRules,
  scrubSpanByOwnRules,
  scrubTextByOwnRules,
  userPseudonym,
} from './own/index.ts';
export {
  type PreviewableLog,
  type PreviewableSpan,
  type PreviewedEvent,
  previewEvent,
  previewLog,
  previewSpan,
} from './own/preview.ts';
export { BagCleaner } from './bag.ts';
export { logFields, scrubField, scrubFields, spanFields } from './fields.ts';
export { maxSecretLength, scrubText } from './text.ts';

export function scrubEvent(event: Event, settings: ScrubSettings, remarks: Remarks): void {
  if (hasOwnRules(settings)) scrubByOwnRules(event, settings, remarks);
  const rules = scrubRules(settings);
  const bags = new BagCleaner(rules, remarks);
  scrubFields(event, eventFields, rules);
  if (event.logger !== undefined) event.logger = shortLogger(event.logger);
  scrubExceptions(event, rules, bags);
  scrubMessages(event, rules, bags);
  scrubThreads(event, rules, bags);
  if (event.template) scrubFields(event.template, templateFields, rules);
  scrubReports(event, rules);
  scrubRequest(event, rules, bags);
  scrubUser(event, rules, bags);
  scrubContexts(event, rules, bags);
  if (event.extra) event.extra = bags.cleanEach(event.extra, extraLimits, 'extra').bag as JsonObject;
  scrubTags(event, rules);
  scrubSender(event, rules);
  for (const error of remarks.errors) {
    scrubFields(error, errorFields, rules);
    if (error.name !== undefined) error.name = cutText(error.name, textLimits.name);
    if (error.value !== undefined) error.value = cutText(error.value, textLimits.name);
  }
}

/** The same for frames that were mapped after that: their lines are those of sources that were uploaded. */
export function scrubMapped(frames: readonly Frame[], settings: ScrubSettings): void {
  const rules = scrubRules(settings);
  const mapped = frames.filter(({ data }) => data?.raw !== undefined || data?.source !== undefined);
  if (hasOwnRules(settings)) scrubFramesByOwnRules(mapped, settings);
  for (const frame of mapped) scrubFrame(frame, rules);
}

function scrubExceptions(event: Event, rules: ScrubRules, bags: BagCleaner): void {
  for (const [index, exception] of event.exception?.values.entries() ?? []) {
    scrubFields(exception, exceptionFields, rules);
    const { mechanism, stacktrace } = exception;
    if (mechanism) scrubFields(mechanism, mechanismFields, rules);
    if (mechanism?.data !== undefined) {
      mechanism.data = bags.clean(mechanism.data, bagLimits.medium, 'exception', 'values', index, 'mechanism', 'data');
    }
    if (mechanism?.meta !== undefined)
      mechanism.meta = bags.clean(mechanism.meta, bagLimits.medium, 'exception', 'values', index);
    scrubStack(stacktrace, rules, bags, 'exception', 'values', index, 'stacktrace');
  }
}

function scrubMessages(event: Event, rules: ScrubRules, bags: BagCleaner): void {
  const { logentry } = event;
  if (logentry) {
    scrubFields(logentry, logEntryFields, rules);
    if (logentry.params !== undefined)
      logentry.params = bags.clean(logentry.params, bagLimits.medium, 'logentry', 'params');
  }
  let index = 0;
  for (const breadcrumb of event.breadcrumbs?.values ?? []) {
    scrubFields(breadcrumb, breadcrumbFields, rules);
    if (breadcrumb.data !== undefined) {
      breadcrumb.data = bags.clean(breadcrumb.data, bagLimits.medium, 'breadcrumbs', 'values', index, 'data');
    }
    index++;
  }
}

function scrubThreads(event: Event, rules: ScrubRules, bags: BagCleaner): void {
  for (const [index, thread] of event.threads?.values.entries() ?? []) {
    scrubFields(thread, threadFields, rules);
    if (thread.held_locks) thread.held_locks = scrubLocks(thread.held_locks, rules);
    scrubStack(thread.stacktrace, rules, bags, 'threads', 'values', index, 'stacktrace');
  }
  scrubStack(event.stacktrace, rules, bags, 'stacktrace');
}

function scrubStack(
  stack: Stacktrace | undefined,
  rules: ScrubRules,
  bags: BagCleaner,
  ...path: (string | number)[]
): void {
  if (!stack) return;
  if (stack.registers !== undefined)
    stack.registers = bags.clean(stack.registers, bagLimits.small, ...path, 'registers');
  if (knownStack(stack.frames)) return;
  // Newest first: what they hold is looked at first.
  for (let index = stack.frames.length - 1; index >= 0; index--) {
    const frame = stack.frames[index];
    if (!frame) continue;
    scrubFrame(frame, rules);
    if (frame.vars !== undefined) frame.vars = bags.locals(frame.vars, ...path, 'frames', index, 'vars');
  }
}

function scrubFrame(frame: Frame, rules: ScrubRules): void {
  scrubFields(frame, frameFields, rules);
  const map = frame.data?.sourcemap;
  if (frame.data && typeof map === 'string') frame.data.sourcemap = scrubField(map, 'id', rules);
  if (frame.lock) scrubFields(frame.lock, lockFields, rules);
}

function scrubLocks(locks: Readonly<Record<string, Lock>>, rules: ScrubRules): Record<string, Lock> {
  for (const address in locks) scrubFields(locks[address] ?? {}, lockFields, rules);
  return Object.fromEntries(
    Object.entries(locks).map(([address, lock]) => [scrubField(address, 'id', rules), lock] as const),
  );
}

/** Reports of browsers are addresses, and policies made of them: what stands in them by name is no secret. */
function scrubReports(event: Event, rules: ScrubRules): void {
  for (const report of [event.csp, event.hpkp, event.expectct, event.expectstaple]) {
    for (const name in report) {
      const value = report[name];
      if (typeof value === 'string') report[name] = scrubField(value, 'value', rules);
      else if (Array.isArray(value)) {
        report[name] = value.map((entry: unknown) =>
          typeof entry === 'string' ? scrubField(entry, 'value', rules) : entry,
        );
      }
    }
  }
}

function scrubUser({ user }: Event, rules: ScrubRules, bags: BagCleaner): void {
  if (!user) return;
  scrubFields(user, userFields, rules);
  if (user.data) user.data = bags.clean(user.data, bagLimits.large, 'user', 'data') as JsonObject;
  if (user.geo) user.geo = bags.clean(user.geo, bagLimits.small, 'user', 'geo');
}

/** What describes the program: flat objects of names, versions and paths. */
function scrubSender(event: Event, rules: ScrubRules): void {
  const { sdk, modules, debug_meta: debugMeta } = event;
  if (sdk && !knownPart(sdk)) scrubSdk(sdk, rules);
  if (modules && !knownPart(modules)) scrubValues(modules, rules);
  if (event.transaction_info) scrubValues(event.transaction_info, rules);
  if (!debugMeta || knownPart(debugMeta)) return;
  for (const image of (debugMeta.images ?? []) as JsonObject[]) scrubValues(image, rules);
}

function scrubSdk(sdk: Sdk, rules: ScrubRules): void {
  scrubFields(sdk, sdkFields, rules);
  if (sdk.settings?.infer_ip) sdk.settings.infer_ip = scrubField(sdk.settings.infer_ip, 'id', rules);
  for (const one of sdk.packages ?? []) scrubFields(one, packageFields, rules);
}

function scrubValues(object: JsonObject, rules: ScrubRules): void {
  for (const name in object) {
    const value = object[name];
    if (typeof value === 'string') object[name] = scrubField(value, 'id', rules);
  }
}

function scrubRequest(event: Event, rules: ScrubRules, bags: BagCleaner): void {
  const { request } = event;
  if (!request) return;
  scrubFields(request, requestFields, rules);
  if (request.query_string) {
    for (const pair of request.query_string) {
      if (rules.parameter(...pair) === 'sensitive' && pair[1] !== '') pair[1] = filtered;
      else scrubParameter(pair, rules);
    }
    request.query_string = bags.clean(request.query_string, bagLimits.small, 'request', 'query_string') as Pair[];
  }
  if (request.headers) request.headers = scrubHeaders(request.headers, rules, bags);
  if (request.cookies) {
    for (const cookie of request.cookies) {
      if (rules.cookie(cookie[0]) === 'sensitive') cookie[1] = filtered;
      cookie[0] = scrubField(cookie[0], 'value', rules);
    }
    request.cookies = bags.clean(request.cookies, bagLimits.medium, 'request', 'cookies') as Pair[];
  }
  if (request.data !== undefined) {
    scrubBodyCookies(request.data, rules);
    request.data = bags.clean(request.data, bagLimits.large, 'request', 'data');
  }
  if (request.env) request.env = bags.clean(request.env, bagLimits.large, 'request', 'env') as JsonObject;
}

/** A query may be any text, which was taken apart at its first `=`; without one it is read as a name. */
function scrubParameter(pair: LoosePair, rules: ScrubRules): void {
  const [name, value] = pair;
  const sent = typeof value === 'string' && value !== '' ? `${name}=${value}` : name;
  const safe = scrubField(sent, 'value', rules);
  if (safe === sent) return;
  const end = safe.indexOf('=');
  pair[0] = end < 0 ? safe : safe.slice(0, end);
  if (typeof value === 'string') pair[1] = end < 0 ? '' : safe.slice(end + 1);
}

/** Headers are one bag, but for `User-Agent`: browsers are told apart by it, and words in it mean nothing. */
function scrubHeaders(headers: Pair[], rules: ScrubRules, bags: BagCleaner): Pair[] {
  const agent = headers.findIndex(([name]) => name === 'User-Agent');
  const value = headers[agent]?.[1];
  if (value === undefined) return bags.clean(headers, bagLimits.large, 'request', 'headers') as Pair[];
  const others = bags.clean(headers.toSpliced(agent, 1), bagLimits.large, 'request', 'headers') as Pair[];
  return others.toSpliced(Math.min(agent, others.length), 0, [
    'User-Agent',
    cutText(scrubField(value, 'id', rules), textLimits.url),
  ]);
}

function scrubBodyCookies(data: unknown, rules: ScrubRules): void {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return;
  const cookies = (data as JsonObject).cookies;
  if (typeof cookies !== 'object' || cookies === null || Array.isArray(cookies)) return;
  for (const name in cookies) {
    if (rules.cookie(name) === 'sensitive' && name !== '__proto__') (cookies as JsonObject)[name] = filtered;
  }
}

/** Known contexts hold ids and versions; only what a client may fill freely is a bag. */
const fixedContexts = new Set([
  'browser',
  'os',
  'client_os',
  'runtime',
  'device',
  'culture',
  'react',
  'replay',
  'profile',
]);

function scrubContexts(event: Event, rules: ScrubRules, bags: BagCleaner): void {
  const { contexts } = event;
  if (!contexts) return;
  for (const name in contexts) {
    const context = contexts[name];
    if (!context) continue;
    if (rules.key(name) === 'sensitive' && !fixedContexts.has(name) && name !== 'trace') {
      contexts[name] = { type: name, value: filtered };
    } else if (name === 'trace') {
      contexts.trace = cleanTrace(context, rules, bags);
    } else contexts[name] = bags.clean(context, bagLimits.large, 'contexts', name) as JsonObject;
  }
}

/** Names of operations such as `auth.login` say nothing secret; `data` may. */
function cleanTrace(context: JsonObject, rules: ScrubRules, bags: BagCleaner): JsonObject {
  const trace: JsonObject = {};
  for (const key in context) {
    const value = context[key];
    const text = typeof value === 'boolean' ? undefined : asText(value);
    if (key === '__proto__' || key.length > 64) continue;
    if (typeof value === 'number' || typeof value === 'boolean') trace[key] = value;
    else if (text !== undefined) {
      trace[key] = rules.key(key) === 'sensitive' ? filtered : cutText(scrubField(text, 'id', rules), textLimits.name);
    } else if (key === 'data' || key === 'links')
      trace[key] = bags.clean(value, bagLimits.large, 'contexts', 'trace', key);
  }
  return trace;
}

function scrubTags(event: Event, rules: ScrubRules): void {
  for (const tag of event.tags) {
    const kind = rules.key(tag[0]);
    if (kind === 'sensitive') tag[1] = filtered;
    else if (kind === 'plain') tag[1] = scrubField(tag[1], 'bag', rules);
    tag[0] = scrubField(tag[0], 'id', rules);
  }
}
