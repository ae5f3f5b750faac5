/** The fingerprint of an event: from the client, or from a rule where the client left it to us. */
import type { Event, Exception, Frame } from '../../event.ts';
import { tagValue } from '../../event.ts';
import { builtInRules, type FingerprintRule } from './built-in-rules.ts';
import { baseName } from './file-name.ts';
import { messageValue } from './parameterize.ts';

export interface Fingerprint {
  /** `default`: our grouping decides; `hybrid`: it does, split by the other entries; `custom`: the entries alone. */
  readonly kind: 'default' | 'hybrid' | 'custom';
  /** Entries other than `{{ default }}` with their variables filled in. */
  readonly entries: readonly { readonly text: string; readonly value: string }[];
  readonly rule?: FingerprintRule;
}

const variable = /\{\{\s*([\w.:-]{1,210})\s*\}\}/g;
const isDefault = (entry: string): boolean => /^\{\{\s*default\s*\}\}$/.test(entry);

/** Rules of the project will be tried here before the built-in ones. */
export function resolveFingerprint(event: Event, main: Exception | undefined): Fingerprint {
  const given = event.fingerprint ?? [];
  const own = given.filter((entry) => !isDefault(entry));
  if (own.length === 0) {
    const rule = builtInRules.find((candidate) => matches(candidate, event));
    if (!rule) return { kind: 'default', entries: [] };
    return {
      kind: 'custom',
      entries: rule.fingerprint.map((text) => ({ text, value: fill(text, event, main) })),
      rule,
    };
  }
  return {
    kind: own.length < given.length ? 'hybrid' : 'custom',
    entries: own.map((text) => ({ text, value: fill(text, event, main) })),
  };
}

function matches(rule: FingerprintRule, event: Event): boolean {
  return (event.exception?.values ?? []).some(
    (exception) =>
      (rule.type === undefined || rule.type.test(exception.type ?? '')) &&
      (rule.value === undefined || rule.value.test((exception.value ?? '').slice(0, 500))) &&
      (rule.withoutFrames !== true || !exception.stacktrace),
  );
}

function fill(text: string, event: Event, main: Exception | undefined): string {
  if (!text.includes('{{')) return isMessage(text, event) ? messageValue(text) : text;
  return text.replace(variable, (_whole, name: string) => valueOf(name, event, main));
}

/** People often put the error's message in: its numbers would make every event an issue. */
function isMessage(text: string, event: Event): boolean {
  const { logentry, exception } = event;
  if (text === logentry?.message || text === logentry?.formatted) return true;
  return (exception?.values ?? []).some(({ value }) => value === text);
}

function valueOf(name: string, event: Event, main: Exception | undefined): string {
  const frame =
    name.startsWith('stack.') || name === 'path' || name === 'function' || name === 'module' || name === 'package'
      ? crashFrame(event, main)
      : undefined;
  switch (name) {
    case 'transaction':
      return event.transaction ?? '<no-transaction>';
    case 'message': {
      const message = rawMessage(event, main);
      return message === undefined ? '<no-message>' : messageValue(message);
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
function crashFrame(event: Event, main: Exception | undefined): Frame | undefined {
  const frames =
    main?.stacktrace?.frames ??
    event.stacktrace?.frames ??
    event.threads?.values.find(({ stacktrace }) => stacktrace)?.stacktrace?.frames;
  return frames?.findLast((frame) => frame.in_app === true) ?? frames?.at(-1);
}
