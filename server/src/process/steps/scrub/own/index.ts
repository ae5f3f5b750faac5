/**
 * What members have settled beyond the built-in list: rules in Relay's language, of the organisation and of the project,
 * and pseudonyms for users. Without any of it nothing here is asked.
 */
import { isIP } from 'node:net';
import type { Event, Frame } from '../../event.ts';
import type { JsonObject } from '../../json.ts';
import { userIdentity } from '../../normalize/user.ts';
import type { Remarks } from '../../remarks.ts';
import type { ScrubSettings } from '../rules.ts';
import { maxScannedText } from '../text.ts';
import { applyOwnRules, type Change } from './apply.ts';
import { type OwnRules, readOwnRules } from './read.ts';
import { attachmentsShape, eventShape, itemShape, logShape, replayShape, spanShape } from './types.ts';
import { hideUser, hideUserAttributes } from './users.ts';

export { loadPatterns } from './patterns.ts';
export { ownRuleLimits, readOwnRules, type ReadRules } from './read.ts';
export { userPseudonym } from './users.ts';

/** Whether anything of it is set: rules and pseudonyms alike. */
export const hasOwnRules = (settings: ScrubSettings): boolean =>
  Boolean(settings.scrubRules || settings.organizationRules || settings.pseudonymizeUsers);

interface Compiled {
  readonly rules: OwnRules;
  /** Of pseudonyms for users; undefined where users stay as they are. */
  readonly userKey: string | undefined;
}

/** Settings stay the same object while they are the same. */
const compiled = new WeakMap<ScrubSettings, Compiled>();

function compile(settings: ScrubSettings): Compiled {
  let known = compiled.get(settings);
  if (known) return known;
  const hashKey = settings.pseudonymKey ?? '';
  const of = (text: string | undefined, prefix: 'organization' | 'project') =>
    readOwnRules(text ?? '', { prefix, hashKey }).rules.applications;
  known = {
    rules: { applications: [...of(settings.organizationRules, 'organization'), ...of(settings.scrubRules, 'project')] },
    userKey: settings.pseudonymizeUsers ? hashKey : undefined,
  };
  compiled.set(settings, known);
  return known;
}

/** In place, before the built-in list. */
export function scrubByOwnRules(event: Event, settings: ScrubSettings, remarks: Remarks): void {
  const { rules, userKey } = compile(settings);
  applyOwnRules(event, rules, {
    shape: eventShape,
    maxText: maxScannedText,
    changed: ({ path, rule, kind, length }) => remarks.byRule(path, rule, kind, length),
  });
  settleUser(event);
  if (userKey !== undefined) hideUser(event, userKey, remarks);
}

/**
 * Frames that were mapped since then: their names and lines are those of sources. Values of their variables have been
 * looked at, and a second look would hide a pseudonym behind another one.
 */
export function scrubFramesByOwnRules(frames: readonly Frame[], settings: ScrubSettings): void {
  const { rules } = compile(settings);
  if (rules.applications.length === 0) return;
  for (const frame of frames) {
    const { vars: _, ...copy } = frame;
    const stacktrace = { frames: [copy] };
    const root: JsonObject = { exception: { values: [{ stacktrace }] } };
    applyOwnRules(root, rules, { shape: eventShape, maxText: maxScannedText, changed: ignore });
    const after: Frame = stacktrace.frames[0] ?? {};
    for (const name of Object.keys(copy) as (keyof typeof copy)[]) Object.assign(frame, { [name]: after[name] });
  }
}

/** An address that is none any more tells a user apart, if it is a pseudonym. */
function settleUser({ user }: Event): void {
  const address = user?.ip_address;
  if (!user || address === undefined || isIP(address)) return;
  delete user.ip_address;
  if (userIdentity(user) === '' && /^[\dA-F]{40}$/.test(address)) user.id = address;
}

interface OwnSpan {
  name: string;
  transaction: string | undefined;
  statusMessage: string | undefined;
  attributes: Record<string, unknown>;
  readonly links: readonly { readonly attributes: Record<string, unknown> }[] | undefined;
  readonly events: readonly { readonly attributes: Record<string, unknown> }[] | undefined;
}

/** Of a span, before it is read; `$span.description` and `$span.data.name` are its name and its attributes. */
export function scrubSpanByOwnRules(span: OwnSpan, settings: ScrubSettings, changed: (change: Change) => void): void {
  const { rules, userKey } = compile(settings);
  const root: JsonObject = {
    description: span.name,
    transaction: span.transaction,
    status_message: span.statusMessage,
    data: span.attributes,
    links: span.links?.map(({ attributes }) => attributes),
    events: span.events?.map(({ attributes }) => attributes),
  };
  applyOwnRules(root, rules, { shape: spanShape, maxText: maxScannedText, changed });
  span.name = textOf(root.description);
  if (span.transaction !== undefined) span.transaction = textOf(root.transaction);
  if (span.statusMessage !== undefined) span.statusMessage = textOf(root.status_message);
  if (root.data === null || root.data === undefined) span.attributes = {};
  if (userKey === undefined) return;
  hideUserAttributes(span.attributes, userKey, changed);
  for (const { attributes } of [...(span.links ?? []), ...(span.events ?? [])])
    hideUserAttributes(attributes, userKey, changed);
}

interface OwnLog {
  body: unknown;
  attributes: Record<string, unknown>;
}

/** The same of a record of a log: `$log.body`, `$log.attributes.name`. */
export function scrubLogByOwnRules(log: OwnLog, settings: ScrubSettings, changed: (change: Change) => void): void {
  const { rules, userKey } = compile(settings);
  const root: JsonObject = { body: log.body, attributes: log.attributes };
  applyOwnRules(root, rules, { shape: logShape, maxText: maxScannedText, changed });
  log.body = root.body ?? '';
  if (root.attributes === null || root.attributes === undefined) log.attributes = {};
  if (userKey !== undefined) hideUserAttributes(log.attributes, userKey, changed);
}

/** JSON that is kept as it came, in place. An attachment is known by the name of its file, a recording as `$replay`. */
export function scrubItemByOwnRules(value: unknown, settings: ScrubSettings, item: KeptItem): unknown {
  const { rules, userKey } = compile(settings);
  const { fileName, isRecording = false } = item;
  if (userKey !== undefined && isObject(value)) hideUser(value as Pick<Event, 'user'>, userKey);
  const isRoot = isObject(value) && fileName === undefined;
  const name = fileName ?? 'payload';
  const root: JsonObject = isRoot ? value : { [name]: value };
  const shape = fileName !== undefined ? attachmentsShape : isRecording ? replayShape : itemShape;
  const maxDepth = isRecording ? deepestRecording : undefined;
  applyOwnRules(root, rules, { shape, maxText: Number.POSITIVE_INFINITY, maxDepth, changed: ignore });
  return isRoot ? root : root[name];
}

/** Text that is kept as it came. */
export function scrubTextByOwnRules(text: string, settings: ScrubSettings, item: KeptItem): string {
  const kept = scrubItemByOwnRules(text, settings, item);
  return typeof kept === 'string' ? kept : '';
}

interface KeptItem {
  /** Of an attachment. */
  readonly fileName?: string | undefined;
  readonly isRecording?: boolean;
}

/** The page is a tree, and each level of it is two of JSON. */
const deepestRecording = 500;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const ignore = (): void => undefined;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
