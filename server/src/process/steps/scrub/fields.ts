/**
 * Which rules hold for each field that is a text of its own. The tables follow the types: a text that is added to a
 * type does not compile until it has a line here.
 */
import { type LogRow, tables as logTables } from '../../../base/tables/logs.ts';
import type { Columns, Treatment } from '../../../base/tables/record.ts';
import { type SpanRow, tables as spanTables } from '../../../base/tables/spans.ts';
import type {
  Breadcrumb,
  Event,
  EventError,
  Exception,
  Frame,
  HttpRequest,
  Lock,
  LogEntry,
  Mechanism,
  Sdk,
  Thread,
  User,
} from '../event.ts';
import type { ScrubRules } from './rules.ts';
import { scrubText, type TextKind } from './text.ts';

/** Also one that may be a number instead. */
type TextField<T> = {
  [K in keyof T]-?: [Extract<NonNullable<T[K]>, string | readonly string[]>] extends [never] ? never : K;
}[keyof T];

type FieldsOf<T> = Readonly<Record<TextField<T>, Treatment>>;

const fields = <T>(treatments: FieldsOf<T>): Fields<T> =>
  (Object.entries(treatments) as [TextField<T>, Treatment][]).filter(
    (entry): entry is [TextField<T>, TextKind] => entry[1] !== 'known',
  );

type Fields<T> = readonly (readonly [TextField<T>, TextKind])[];

export const eventFields = fields<Event>({
  event_id: 'known',
  type: 'known',
  level: 'known',
  platform: 'known',
  logger: 'value',
  release: 'id',
  dist: 'id',
  environment: 'id',
  server_name: 'id',
  transaction: 'value',
  fingerprint: 'value',
  checksum: 'id',
});

export const exceptionFields = fields<Exception>({ type: 'value', value: 'message', module: 'id', thread_id: 'id' });

export const mechanismFields = fields<Mechanism>({
  type: 'value',
  source: 'value',
  description: 'message',
  help_link: 'value',
});

/** Paths and names of code hold numbers and words such as `token`, which say nothing. */
export const frameFields = fields<Frame>({
  function: 'id',
  raw_function: 'id',
  symbol: 'id',
  module: 'id',
  package: 'id',
  filename: 'id',
  abs_path: 'id',
  context_line: 'code',
  pre_context: 'code',
  post_context: 'code',
  platform: 'id',
  instruction_addr: 'id',
  symbol_addr: 'id',
  image_addr: 'id',
  addr_mode: 'id',
  trust: 'id',
});

export const lockFields = fields<Lock>({ address: 'id', package_name: 'id', class_name: 'id', thread_id: 'id' });

export const threadFields = fields<Thread>({ id: 'id', name: 'value', state: 'id' });

export const templateFields = fields<NonNullable<Event['template']>>({
  filename: 'id',
  abs_path: 'id',
  context_line: 'code',
});

export const breadcrumbFields = fields<Breadcrumb>({
  type: 'id',
  category: 'value',
  level: 'known',
  message: 'message',
  event_id: 'id',
});

export const logEntryFields = fields<LogEntry>({ message: 'message', formatted: 'message' });

export const userFields = fields<User>({ id: 'id', username: 'id', email: 'id', ip_address: 'known', name: 'id' });

export const requestFields = fields<HttpRequest>({
  method: 'known',
  url: 'value',
  fragment: 'bag',
  inferred_content_type: 'known',
});

export const sdkFields = fields<Sdk>({ name: 'id', version: 'id', integrations: 'id', client_ip: 'id' });

export const packageFields = fields<NonNullable<Sdk['packages']>[number]>({ name: 'id', version: 'id' });

export const errorFields = fields<EventError>({ type: 'id', name: 'value', value: 'value' });

/** Texts of a row, as the record of its table says. */
export function columnFields<T extends object>(columns: Columns): Fields<T> {
  return Object.entries(columns).flatMap(([name, column]): [TextField<T>, TextKind][] => {
    const [kind, treatment = 'value'] = column.replace('?', '').split(':') as [string, Treatment?];
    return (kind === 'text' || kind === 'texts') && treatment !== 'known' ? [[name as TextField<T>, treatment]] : [];
  });
}

/** Names, attributes and what is made of them are scrubbed as they are read. */
export const spanFields = columnFields<SpanRow>(spanTables.spans.columns);
export const logFields = columnFields<LogRow>(logTables.logs.columns);

/** Changes the texts of `object` in place, and those of its lists. Runs for each frame of each event. */
export function scrubFields<T extends object>(object: T, texts: Fields<T>, rules: ScrubRules): void {
  for (let index = 0; index < texts.length; index++) {
    const entry = texts[index];
    const value: unknown = entry && object[entry[0]];
    if (entry === undefined || value === undefined) continue;
    const [field, kind] = entry;
    if (typeof value === 'string') {
      const safe = scrubField(value, kind, rules);
      if (safe !== value) object[field] = safe as T[typeof field];
    } else if (Array.isArray(value)) scrubList(value as string[], kind, rules);
  }
}

function scrubList(list: string[], kind: TextKind, rules: ScrubRules): void {
  for (let index = 0; index < list.length; index++) {
    const text = list[index] ?? '';
    const safe = scrubField(text, kind, rules);
    if (safe !== text) list[index] = safe;
  }
}

/** Shorter ids and lines hold no secret that could be told from an id, or from code. */
const shortestSecret = 8;

/** An id is one word; what has more is read as a text, numbers of cards included. */
export function scrubField(text: string, kind: TextKind, rules: ScrubRules): string {
  if (kind !== 'id' && kind !== 'code') return scrubText(text, kind, rules);
  if (text.length < shortestSecret) return text;
  return scrubText(text, kind === 'id' && text.includes(' ') ? 'value' : kind, rules);
}
