/** The message of an event: a text, or a template with parameters. */
import type { LogEntry } from '../event.ts';
import { asList, asObject, asText } from '../json.ts';
import { cutText, textLimits } from '../limits.ts';
import type { Remarks } from '../remarks.ts';

/** `message` and `logentry` are two names of one thing; each may be a text or an object. */
export function parseLogEntry(value: unknown, remarks: Remarks): LogEntry | undefined {
  const object = asObject(value);
  const message = object ? asText(object.message) : asText(value);
  const formatted = asText(object?.formatted);
  if (message === undefined && formatted === undefined) return undefined;
  const entry: LogEntry = {};
  if (message !== undefined) entry.message = cutText(message, textLimits.message, remarks, ['logentry', 'message']);
  const params = object?.params;
  const whole = formatted ?? (params === undefined ? message : format(message ?? '', params));
  if (whole !== undefined) entry.formatted = cutText(whole, textLimits.message, remarks, ['logentry', 'formatted']);
  if (asList(params) || asObject(params)) entry.params = params;
  return entry;
}

/** Raven for Python sends parameters as they are written in its language. */
export function withoutQuotes({ message, formatted, params }: LogEntry): LogEntry {
  const plain = Array.isArray(params) ? params.map(unquoted) : params;
  // It leaves it to the server to fill them in, and sends the text where it did.
  const filled = message !== undefined && formatted === format(message, params);
  return { message, formatted: filled ? format(message, plain) : formatted, params: plain };
}

function unquoted(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const quote = value[0];
  const isQuoted = value.length > 1 && (quote === "'" || quote === '"') && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1).replace(/\\(['"\\])/g, '$1') : value;
}

const placeholder = /%%|%(?:\((\w{1,64})\))?[sdifrjoO]|\{(\w{0,64})\}/g;

/** Fills `%s %d %(name)s {} {0} {name}`; what has no parameter stays as it is. */
export function format(template: string, params: unknown): string {
  const list = asList(params);
  const named = asObject(params);
  let next = 0;
  return template
    .slice(0, 16_384)
    .toWellFormed()
    .replace(placeholder, (whole: string, percentName?: string, braceName?: string) => {
      if (whole === '%%') return '%';
      const name = percentName ?? braceName;
      let value: unknown;
      if (name !== undefined && name !== '' && named) value = Object.hasOwn(named, name) ? named[name] : undefined;
      else if (name !== undefined && /^\d+$/.test(name)) value = list?.[Number(name)];
      else value = list?.[next++];
      return paramText(value) ?? whole;
    });
}

function paramText(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'string') return value.slice(0, 2048).toWellFormed();
  return asText(value) ?? (typeof value === 'object' ? (Array.isArray(value) ? '[Array]' : '[Object]') : undefined);
}
