/** What rules would change in an event, a span or a log that is stored already. */
import type { Event } from '../../event.ts';
import { Remarks } from '../../remarks.ts';
import type { ScrubSettings } from '../rules.ts';
import type { Change } from './apply.ts';
import { scrubByOwnRules, scrubLogByOwnRules, scrubSpanByOwnRules } from './index.ts';

export interface PreviewedChange {
  /** Places in the event, joined by dots. */
  readonly path: string;
  readonly rules: readonly string[];
  /** A text, or JSON; cut. */
  readonly before: string;
  /** Null for what would be gone. */
  readonly after: string | null;
}

export interface PreviewedEvent {
  readonly changes: readonly PreviewedChange[];
  /** More than are listed. */
  readonly more: number;
}

const maxChanges = 30;
const maxText = 300;

/** `payload` as it is stored. What the same rule has changed when the event came is not said again. */
export function previewEvent(payload: string, settings: ScrubSettings): PreviewedEvent {
  const before = JSON.parse(payload) as Event;
  const after = JSON.parse(payload) as Event;
  const { _meta: meta } = before;
  const remarks = new Remarks();
  scrubByOwnRules(after, settings, remarks);
  return changesBetween(
    before,
    after,
    remarks.changes.filter(({ path, rule }) => !isKnown(meta, path, rule)),
  );
}

/** What rules see of a span that is stored. */
export interface PreviewableSpan {
  readonly name: string;
  readonly transaction: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export function previewSpan(span: PreviewableSpan, settings: ScrubSettings): PreviewedEvent {
  const attributes = structuredClone(span.attributes) as Record<string, unknown>;
  const after = { ...span, attributes, statusMessage: undefined, links: undefined, events: undefined };
  const changes: Change[] = [];
  scrubSpanByOwnRules(after, settings, (change) => changes.push(change));
  const shape = ({ name, transaction, attributes: data }: PreviewableSpan) => ({
    description: name,
    transaction,
    data,
  });
  return changesBetween(shape(span), shape(after), changes);
}

export interface PreviewableLog {
  readonly body: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export function previewLog(log: PreviewableLog, settings: ScrubSettings): PreviewedEvent {
  const attributes = structuredClone(log.attributes) as Record<string, unknown>;
  const after: { body: unknown; attributes: Record<string, unknown> } = { body: log.body, attributes };
  const changes: Change[] = [];
  scrubLogByOwnRules(after, settings, (change) => changes.push(change));
  return changesBetween(log, after, changes);
}

type Remarked = Pick<Change, 'path' | 'rule'> & { readonly kind: string };

function changesBetween(before: object, after: object, remarked: readonly Remarked[]): PreviewedEvent {
  const places = new Map<string, { path: readonly (string | number)[]; rules: Set<string>; isGone: boolean }>();
  for (const { path, rule, kind } of remarked) {
    const name = path.join('.');
    const place = places.get(name) ?? { path, rules: new Set<string>(), isGone: false };
    place.rules.add(rule);
    place.isGone ||= kind === 'x';
    places.set(name, place);
  }
  const changes = [...places].flatMap(([path, { path: steps, rules, isGone }]): PreviewedChange[] => {
    const [was, is] = [valueAt(before, steps), valueAt(after, steps)];
    if (was === undefined) return [];
    // In a list from which something went, another value has the place now.
    const isOther = isGone && typeof is !== 'string';
    return [
      {
        path,
        rules: [...rules],
        before: shown(was),
        after: is === undefined || is === null || isOther ? null : shown(is),
      },
    ];
  });
  return { changes: changes.slice(0, maxChanges), more: Math.max(0, changes.length - maxChanges) };
}

function isKnown(meta: unknown, path: readonly (string | number)[], rule: string): boolean {
  const remark = valueAt(meta, [...path, '']) as { rem?: unknown } | undefined;
  return Array.isArray(remark?.rem) && remark.rem.some((one: unknown) => Array.isArray(one) && one[0] === rule);
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text;
}
