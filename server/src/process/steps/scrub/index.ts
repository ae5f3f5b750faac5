/**
 * Scrubbing and trimming of a normalised event, in place, before anything of it is written anywhere. Texts that people
 * look for (exception values, messages) lose the sensitive part alone; bags of data lose the whole value. Paths, debug
 * images, ids, times, release, environment and source lines stay as they are.
 */
import type { Event, Pair, Stacktrace } from '../event.ts';
import { asText, type JsonObject } from '../json.ts';
import { bagLimits, cutText, textLimits } from '../limits.ts';
import type { Remarks } from '../remarks.ts';
import { BagCleaner } from './bag.ts';
import { filtered, type ScrubRules, scrubRules, type ScrubSettings } from './rules.ts';
import { scrubText, scrubUrl } from './text.ts';

export { type ScrubSettings } from './rules.ts';
export { scrubRules } from './rules.ts';
export { BagCleaner } from './bag.ts';
export { scrubText } from './text.ts';

export function scrubEvent(event: Event, settings: ScrubSettings, remarks: Remarks): void {
  const rules = scrubRules(settings);
  const bags = new BagCleaner(rules, remarks);
  scrubMessages(event, rules, bags);
  scrubStacks(event, bags);
  scrubRequest(event, rules, bags);
  for (const [index, breadcrumb] of event.breadcrumbs?.values.entries() ?? []) {
    if (breadcrumb.message !== undefined) breadcrumb.message = scrubText(breadcrumb.message, 'message', rules);
    if (breadcrumb.data !== undefined) {
      breadcrumb.data = bags.clean(breadcrumb.data, bagLimits.medium, 'breadcrumbs', 'values', index, 'data');
    }
  }
  if (event.user?.data) event.user.data = bags.clean(event.user.data, bagLimits.large, 'user', 'data') as JsonObject;
  if (event.user?.geo) event.user.geo = bags.clean(event.user.geo, bagLimits.small, 'user', 'geo');
  scrubContexts(event, rules, bags);
  if (event.extra) event.extra = scrubExtra(event.extra, bags);
  scrubTags(event, rules);
}

function scrubMessages(event: Event, rules: ScrubRules, bags: BagCleaner): void {
  for (const [index, exception] of event.exception?.values.entries() ?? []) {
    if (exception.value !== undefined) exception.value = scrubText(exception.value, 'message', rules);
    const { mechanism } = exception;
    if (mechanism?.data !== undefined) {
      mechanism.data = bags.clean(mechanism.data, bagLimits.medium, 'exception', 'values', index, 'mechanism', 'data');
    }
    if (mechanism?.meta !== undefined)
      mechanism.meta = bags.clean(mechanism.meta, bagLimits.medium, 'exception', 'values', index);
  }
  const { logentry } = event;
  if (logentry?.formatted !== undefined) logentry.formatted = scrubText(logentry.formatted, 'message', rules);
  if (logentry?.message !== undefined) logentry.message = scrubText(logentry.message, 'message', rules);
  if (logentry?.params !== undefined)
    logentry.params = bags.clean(logentry.params, bagLimits.medium, 'logentry', 'params');
}

function scrubStacks(event: Event, bags: BagCleaner): void {
  const clean = (stack: Stacktrace | undefined, ...path: (string | number)[]): void => {
    if (!stack) return;
    if (stack.registers !== undefined)
      stack.registers = bags.clean(stack.registers, bagLimits.small, ...path, 'registers');
    for (const [index, frame] of stack.frames.entries()) {
      if (frame.vars !== undefined)
        frame.vars = bags.clean(frame.vars, bagLimits.medium, ...path, 'frames', index, 'vars');
    }
  };
  for (const [index, { stacktrace }] of event.exception?.values.entries() ?? []) {
    clean(stacktrace, 'exception', 'values', index, 'stacktrace');
  }
  for (const [index, { stacktrace }] of event.threads?.values.entries() ?? []) {
    clean(stacktrace, 'threads', 'values', index, 'stacktrace');
  }
  clean(event.stacktrace, 'stacktrace');
}

function scrubRequest(event: Event, rules: ScrubRules, bags: BagCleaner): void {
  const { request } = event;
  if (!request) return;
  if (request.url !== undefined && rules.active) request.url = scrubUrl(request.url);
  if (request.fragment !== undefined) request.fragment = scrubText(request.fragment, 'bag', rules);
  if (request.query_string) {
    for (const pair of request.query_string) {
      if (rules.parameter(...pair) === 'sensitive' && pair[1] !== '') pair[1] = filtered;
    }
    request.query_string = bags.clean(request.query_string, bagLimits.small, 'request', 'query_string') as Pair[];
  }
  if (request.headers) request.headers = scrubHeaders(request.headers, bags);
  if (request.cookies) {
    for (const cookie of request.cookies) if (rules.cookie(cookie[0]) === 'sensitive') cookie[1] = filtered;
    request.cookies = bags.clean(request.cookies, bagLimits.medium, 'request', 'cookies') as Pair[];
  }
  if (request.data !== undefined) {
    scrubBodyCookies(request.data, rules);
    request.data = bags.clean(request.data, bagLimits.large, 'request', 'data');
  }
  if (request.env) request.env = bags.clean(request.env, bagLimits.large, 'request', 'env') as JsonObject;
}

/** Headers are one bag, but for `User-Agent`: browsers are told apart by it, and words in it mean nothing. */
function scrubHeaders(headers: Pair[], bags: BagCleaner): Pair[] {
  const agent = headers.findIndex(([name]) => name === 'User-Agent');
  const value = headers[agent]?.[1];
  if (value === undefined) return bags.clean(headers, bagLimits.large, 'request', 'headers') as Pair[];
  const others = bags.clean(headers.toSpliced(agent, 1), bagLimits.large, 'request', 'headers') as Pair[];
  return others.toSpliced(Math.min(agent, others.length), 0, ['User-Agent', cutText(value, textLimits.url)]);
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
      contexts.trace = cleanTrace(context, bags);
    } else contexts[name] = bags.clean(context, bagLimits.large, 'contexts', name) as JsonObject;
  }
}

/** Names of operations such as `auth.login` say nothing secret; `data` may. */
function cleanTrace(context: JsonObject, bags: BagCleaner): JsonObject {
  const trace: JsonObject = {};
  for (const key in context) {
    const value = context[key];
    const text = typeof value === 'boolean' ? undefined : asText(value);
    if (key === '__proto__' || key.length > 64) continue;
    if (typeof value === 'number' || typeof value === 'boolean') trace[key] = value;
    else if (text !== undefined) trace[key] = cutText(text, textLimits.name);
    else if (key === 'data' || key === 'links')
      trace[key] = bags.clean(value, bagLimits.large, 'contexts', 'trace', key);
  }
  return trace;
}

/** Each value has a budget of its own, so that one large value cannot push the others out. */
function scrubExtra(extra: JsonObject, bags: BagCleaner): JsonObject {
  const safe: JsonObject = {};
  let left: number = bagLimits.extra.maxSize;
  for (const key in extra) {
    if (key === '__proto__' || key.length > 1024) continue;
    const limit = {
      ...bagLimits.extra,
      maxSize: Math.min(left, bagLimits.extra.maxText),
      maxDepth: bagLimits.extra.maxDepth + 1,
    };
    const cleaned = bags.clean({ [key]: extra[key] }, limit, 'extra') as JsonObject;
    if (!(key in cleaned)) break;
    safe[key] = cleaned[key];
    left -= key.length + bags.used;
    if (left <= 0) break;
  }
  return safe;
}

function scrubTags(event: Event, rules: ScrubRules): void {
  for (const tag of event.tags) {
    const kind = rules.key(tag[0]);
    if (kind === 'sensitive') tag[1] = filtered;
    else if (kind === 'plain') tag[1] = scrubText(tag[1], 'bag', rules);
  }
}
