/** Who sent a span or a log: what the sender says outside the attributes wins over what they say. */
import type { SpanRow } from '../../../base/tables/spans.ts';
import { asText } from '../json.ts';
import { cutText } from '../limits.ts';
import { parseDist, parseEnvironment, parseRelease } from '../normalize/identity.ts';
import { Remarks } from '../remarks.ts';
import type { ReadAttributes } from './attributes.ts';
import type { SpanInput, SpanRemark, SpanSender } from './input.ts';
import { type ColumnName, noColumns } from './names.ts';

const maxShort = { max: 128, allowance: 0 };
const maxService = { max: 200, allowance: 0 };
const unnoted = new Remarks();

/** What each column was sent as last, and is read as: the spans of one sender say the same. */
const lastTexts: Record<ColumnName, { readonly sent: string; readonly safe: string } | undefined> = { ...noColumns };

/** The text of an attribute that is a column of its own; '' for none. */
export function columnText({ columns }: ReadAttributes, name: ColumnName): string {
  const sent = asText(columns[name]);
  if (sent === undefined) return '';
  const last = lastTexts[name];
  if (last?.sent === sent) return last.safe;
  const safe = safeText(sent);
  if (sent.length <= longestKept) lastTexts[name] = { sent, safe };
  return safe;
}

const longestKept = 300;
const maxQuoted = 1000;

/** For a remark about what was sent. It is scrubbed before it is cut to what is kept. */
export function quoted(value: unknown): string {
  return String(asText(value) ?? '').slice(0, maxQuoted);
}

export function safeText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
}

/**
 * What a service calls itself, else the program that runs, else the machine: two programs on one machine are two. Those
 * of JavaScript go by the machine, as they did before the others came.
 */
function serviceOf(
  { app, host = '' }: SpanSender,
  named: string,
  release: string | undefined,
  platform: string,
): string {
  if (platform === 'node' || platform === 'javascript') return host || named;
  return named || app || programOf(release) || host;
}

/** `shop-web@2.0.0` → `shop-web`; '' where no version follows a name. */
function programOf(release = ''): string {
  const at = release.indexOf('@');
  return at > 0 ? release.slice(0, at) : '';
}

interface Said {
  readonly environment: string | undefined;
  readonly release: string | undefined;
  readonly dist: string | undefined;
  readonly service: string;
  readonly sdkName: string;
  readonly sdkVersion: string;
}

type SenderColumns = Pick<SpanRow, 'environment' | 'release' | 'dist' | 'service' | 'sdk_name' | 'sdk_version'>;

/** What was made of it last, where nothing was wrong with it. */
let last: { readonly said: Said; readonly columns: SenderColumns } | undefined;

export function senderColumns(
  { sender = {} }: Pick<SpanInput, 'sender'>,
  read: ReadAttributes,
  platform: string,
  add: (remark: SpanRemark) => void,
): SenderColumns {
  const { attributes } = read;
  const environment =
    sender.environment ?? (columnText(read, 'sentry.environment') || attributes['deployment.environment.name']);
  const release = sender.release ?? (columnText(read, 'sentry.release') || attributes['service.version']);
  const dist = sender.dist ?? columnText(read, 'sentry.dist');
  const service = serviceOf(sender, columnText(read, 'service.name'), release, platform);
  const sdkName = sender.sdkName ?? (columnText(read, 'sentry.sdk.name') || (attributes['telemetry.sdk.name'] ?? ''));
  const sdkVersion =
    sender.sdkVersion ?? (columnText(read, 'sentry.sdk.version') || (attributes['telemetry.sdk.version'] ?? ''));
  if (
    last &&
    last.said.environment === environment &&
    last.said.release === release &&
    last.said.dist === dist &&
    last.said.service === service &&
    last.said.sdkName === sdkName &&
    last.said.sdkVersion === sdkVersion
  )
    return last.columns;
  let isGood = true;
  const pick = (field: string, said: string | undefined, parse: typeof parseRelease): string => {
    if (!said) return '';
    const parsed = parse(said, unnoted);
    if (parsed === undefined) {
      isGood = false;
      add({ field, what: 'invalid_data', was: quoted(said) });
    }
    return parsed ?? '';
  };
  const columns: SenderColumns = {
    environment: pick('environment', environment, parseEnvironment),
    release: pick('release', release, parseRelease),
    dist: pick('dist', dist, parseDist),
    service: cutText(service, maxService),
    sdk_name: cutText(sdkName, maxShort),
    sdk_version: cutText(sdkVersion, maxShort),
  };
  if (isGood) last = { said: { environment, release, dist, service, sdkName, sdkVersion }, columns };
  return columns;
}
