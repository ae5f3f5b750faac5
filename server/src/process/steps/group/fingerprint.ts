/** The fingerprint of an event: from the client, or from a rule where the client left it to us. */
import type { Event, Exception, Frame } from '../event.ts';
import { tagValue } from '../event.ts';
import type { Algorithm } from './algorithm.ts';
import type { BuiltInRule } from './built-in-rule.ts';
import { findRule } from './match-fingerprint-rules.ts';
import { baseName } from './paths.ts';
import type { FingerprintRule } from './rules/fingerprint-rules.ts';

export interface Fingerprint {
  /** `default`: our grouping decides; `hybrid`: it does, split by the other entries; `custom`: the entries alone. */
  readonly kind: 'default' | 'hybrid' | 'custom';
  /** As the client or the rule gave it; empty for none. */
  readonly raw: readonly string[];
  /** Entries other than `{{ default }}` with their variables filled in. */
  readonly entries: readonly { readonly text: string; readonly value: string }[];
  /** The product's own rule that set it. */
  readonly builtIn?: BuiltInRule;
  /** The project's rule that matched; it may give a title and leave the fingerprint alone. */
  readonly rule?: FingerprintRule;
  /** What the issue is to be called. */
  readonly title?: string;
}

export interface FingerprintSources {
  readonly algorithm: Algorithm;
  readonly rules: readonly FingerprintRule[];
}

const variable = /\{\{\s*([\w.:-]{1,210})\s*\}\}/g;
const isDefault = (entry: string): boolean => /^\{\{\s*default\s*\}\}$/.test(entry);

/** Rules of the project come before the client's fingerprint, the built-in ones after it. */
export function resolveFingerprint(
  event: Event,
  main: Exception | undefined,
  { algorithm, rules }: FingerprintSources,
): Fingerprint {
  const rule = findRule(rules, event);
  const named = rule && {
    rule,
    ...(rule.title !== undefined && { title: fillTitle(rule.title, event, main, algorithm) }),
  };
  const raw = rule?.fingerprint.length ? rule.fingerprint : (event.fingerprint ?? []);
  const own = raw.filter((entry) => !isDefault(entry));
  const filled = (entries: readonly string[]): Fingerprint['entries'] =>
    entries.map((text) => ({ text, value: fill(text, event, main, algorithm) }));
  if (own.length > 0) {
    return { kind: own.length < raw.length ? 'hybrid' : 'custom', raw, entries: filled(own), ...named };
  }
  const builtIn = rule?.fingerprint.length
    ? undefined
    : algorithm.builtInRules.find((candidate) => matches(candidate, event));
  if (!builtIn) return { kind: 'default', raw, entries: [], ...named };
  const { fingerprint } = builtIn;
  return { kind: 'custom', raw: fingerprint, entries: filled(fingerprint), builtIn, ...named };
}

const maxTitle = 255;

/** Messages stand in it as they are. */
function fillTitle(title: string, event: Event, main: Exception | undefined, algorithm: Algorithm): string {
  const filled = title.replace(variable, (_whole, name: string) =>
    valueOf(name === 'message' ? 'raw_message' : name, event, main, algorithm),
  );
  return filled.slice(0, maxTitle).toWellFormed();
}

function matches(rule: BuiltInRule, event: Event): boolean {
  const exceptions = event.exception?.values ?? [];
  if (exceptions.length === 0 && rule.ofMessages === true) {
    const message = event.logentry?.formatted ?? event.logentry?.message;
    return message !== undefined && rule.value?.test(message.slice(0, maxMatched)) === true;
  }
  return exceptions.some(
    (exception) =>
      (rule.type === undefined || rule.type.test(exception.type ?? '')) &&
      (rule.value === undefined || rule.value.test((exception.value ?? '').slice(0, maxMatched))) &&
      (rule.withoutFrames !== true || !exception.stacktrace) &&
      (rule.withoutNames !== true || !exception.stacktrace?.frames.some(isNamed)),
  );
}

const maxMatched = 500;

function isNamed(frame: Frame): boolean {
  return frame.function !== undefined && !/^(?:\?|<anonymous>|)$/.test(frame.function);
}

function fill(text: string, event: Event, main: Exception | undefined, algorithm: Algorithm): string {
  if (!text.includes('{{')) return isMessage(text, event) ? algorithm.messageValue(text) : text;
  return text.replace(variable, (_whole, name: string) => valueOf(name, event, main, algorithm));
}

/** People often put the error's message in: its numbers would make every event an issue. */
function isMessage(text: string, event: Event): boolean {
  const { logentry, exception } = event;
  if (text === logentry?.message || text === logentry?.formatted) return true;
  return (exception?.values ?? []).some(({ value }) => value === text);
}

function valueOf(name: string, event: Event, main: Exception | undefined, algorithm: Algorithm): string {
  const frame =
    name.startsWith('stack.') || name === 'path' || name === 'function' || name === 'module' || name === 'package'
      ? crashFrame(event, main, algorithm)
      : undefined;
  switch (name) {
    case 'transaction':
      return event.transaction ?? '<no-transaction>';
    case 'message': {
      const message = rawMessage(event, main);
      return message === undefined ? '<no-message>' : algorithm.messageValue(message);
    }
    case 'raw_message':
      return rawMessage(event, main) ?? '<no-message>';
    case 'type':
    case 'error.type':
      return main?.type ?? '<no-type>';
    case 'value':
    case 'error.value':
      return main?.value ?? '<no-value>';
    case 'function':
    case 'stack.function':
      return frame?.function ?? '<no-function>';
    case 'module':
    case 'stack.module':
      return frame?.module ?? '<no-module>';
    case 'path':
    case 'stack.abs_path':
      return frame?.abs_path ?? frame?.filename ?? '<no-abs-path>';
    case 'stack.filename':
      return frame?.filename ?? '<no-filename>';
    case 'package':
    case 'stack.package':
      return frame?.package === undefined ? '<no-package>' : baseName(frame.package);
    case 'level':
      return event.level;
    case 'logger':
      return event.logger ?? '<no-logger>';
    default:
      return otherVariable(name, event);
  }
}

function otherVariable(name: string, event: Event): string {
  if (!name.startsWith('tags.')) return `<unrecognized-variable-${name}>`;
  const tag = name.slice('tags.'.length);
  return tagValue(event, tag) ?? `<no-value-for-tag-${tag}>`;
}

function rawMessage(event: Event, main: Exception | undefined): string | undefined {
  return event.logentry?.message ?? event.logentry?.formatted ?? main?.value;
}

/** The last frame of the project's own code, else the last frame. */
function crashFrame(event: Event, main: Exception | undefined, { threadOf }: Algorithm): Frame | undefined {
  const frames = main?.stacktrace?.frames ?? event.stacktrace?.frames ?? threadOf(event)?.stacktrace?.frames;
  return frames?.findLast((frame) => frame.in_app === true) ?? frames?.at(-1);
}
