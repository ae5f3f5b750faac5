/** Who sent a span or a log: what the sender says outside the attributes wins over what they say. */
import type { SpanRow } from '../../../base/tables/spans.ts';
import { asText } from '../json.ts';
import { cutText } from '../limits.ts';
import { parseDist, parseEnvironment, parseRelease } from '../normalize/identity.ts';
import { Remarks } from '../remarks.ts';
import type { ReadAttributes } from './attributes.ts';
import type { SpanInput, SpanRemark } from './input.ts';
import type { ColumnName } from './names.ts';

const maxShort = { max: 128, allowance: 0 };
const maxService = { max: 200, allowance: 0 };
const unnoted = new Remarks();

/** The text of an attribute that is a column of its own; '' for none. */
export function columnText({ columns }: ReadAttributes, name: ColumnName): string {
  return safeText(asText(columns[name]) ?? '');
}

const maxQuoted = 1000;

/** For a remark about what was sent. It is scrubbed before it is cut to what is kept. */
export function quoted(value: unknown): string {
  return String(asText(value) ?? '').slice(0, maxQuoted);
}

export function safeText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
}

type SenderColumns = Pick<SpanRow, 'environment' | 'release' | 'dist' | 'service' | 'sdk_name' | 'sdk_version'>;

export function senderColumns(
  { sender = {} }: Pick<SpanInput, 'sender'>,
  read: ReadAttributes,
  add: (remark: SpanRemark) => void,
): SenderColumns {
  const { attributes } = read;
  const pick = (field: string, said: string | undefined, parse: typeof parseRelease): string => {
    if (!said) return '';
    const parsed = parse(said, unnoted);
    if (parsed === undefined) add({ field, what: 'invalid_data', was: quoted(said) });
    return parsed ?? '';
  };
  const short = (said: string | undefined, column: ColumnName, attribute: string): string =>
    cutText(said ?? (columnText(read, column) || (attributes[attribute] ?? '')), maxShort);
  return {
    environment: pick(
      'environment',
      sender.environment ?? (columnText(read, 'sentry.environment') || attributes['deployment.environment.name']),
      parseEnvironment,
    ),
    release: pick(
      'release',
      sender.release ?? (columnText(read, 'sentry.release') || attributes['service.version']),
      parseRelease,
    ),
    dist: pick('dist', sender.dist ?? columnText(read, 'sentry.dist'), parseDist),
    service: cutText(sender.service || columnText(read, 'service.name'), maxService),
    sdk_name: short(sender.sdkName, 'sentry.sdk.name', 'telemetry.sdk.name'),
    sdk_version: short(sender.sdkVersion, 'sentry.sdk.version', 'telemetry.sdk.version'),
  };
}
