/** `/security/`: reports that browsers send by themselves when a page breaks its security policy. */
import { createEventId, itemType } from '@culprit/envelope';
import { CodedError } from '../base/errors.ts';
import { eventBody, securityReports } from '../base/texts/ingest.ts';
import { acceptedEmpty, type Answer } from './answer.ts';
import { authOf, authorize } from './authorize.ts';
import { decompress, parseEncoding } from './decompress.ts';
import { readIngestBody } from './envelope.ts';
import type { Exchange, Ingest } from './exchange.ts';
import { acceptMade, type MadeEnvelope } from './made-envelope.ts';
import { mirror } from './mirror.ts';

/** HPKP reports come as plain JSON. */
const contentTypes: ReadonlySet<string> = new Set([
  'application/csp-report',
  'application/reports+json',
  'application/expect-ct-report',
  'application/expect-ct-report+json',
  'application/expect-staple-report',
  'application/expect-staple-report+json',
  'application/json',
]);

const maxReportBytes = itemType('raw_security').maxBytes;
const maxReports = 100;

export async function takeSecurityReport(ingest: Ingest, exchange: Exchange): Promise<Answer> {
  const key = await authorize(ingest, exchange, authOf(exchange));
  const { headers } = exchange.request;
  const contentType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!contentTypes.has(contentType)) {
    throw new CodedError('SECURITY_REPORT_TYPE', [JSON.stringify(contentType.slice(0, 100))]);
  }
  const body = await readIngestBody(ingest, exchange);
  const encoding = parseEncoding(headers['content-encoding']);
  const text = encoding === '' ? body : decompress(body, encoding, maxReportBytes);
  if (text === undefined || text.length > maxReportBytes) {
    throw new CodedError('ITEM_TOO_LARGE', ['raw_security', eventBody.moreThan(maxReportBytes), maxReportBytes]);
  }
  const reports = readReports(text);
  if (reports.length > maxReports) {
    ingest.outcomes.count(key, 'security', 'invalid', 'too_many', reports.length - maxReports);
  }
  const release = releaseOf(exchange.query);
  const itemHeader = { type: 'raw_security', content_type: contentType, ...release };
  const envelopes = reports
    .slice(0, maxReports)
    .map((payload): MadeEnvelope => ({ eventId: createEventId(), item: { header: itemHeader, payload } }));
  const rateLimits = await acceptMade(ingest, exchange, key, envelopes);
  if (key.isMirrored) {
    const query = new URLSearchParams(release).toString();
    const { items } = exchange;
    mirror(ingest, exchange, key, {
      kind: 'security',
      body,
      encoding,
      contentType: headers['content-type'],
      query,
      items,
    });
  }
  return rateLimits ? { ...acceptedEmpty, headers: { ...acceptedEmpty.headers, ...rateLimits } } : acceptedEmpty;
}

/** JSON text of each report: the Reporting API sends a list of them. */
function readReports(text: Buffer): (Buffer | string)[] {
  let value: unknown;
  try {
    value = JSON.parse(text.toString());
    if (Array.isArray(value) && value.every(isObject)) return value.map((report) => JSON.stringify(report));
  } catch (error) {
    // A report that nests without end can be parsed, but not be written again.
    const what = error instanceof RangeError ? securityReports.tooDeep : securityReports.notJson;
    throw new CodedError('SECURITY_REPORT_MALFORMED', [what], { cause: error });
  }
  if (isObject(value)) return [text];
  throw new CodedError('SECURITY_REPORT_MALFORMED', [securityReports.noReport]);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A browser cannot say which release it runs; the address of the endpoint can. */
function releaseOf(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query);
  const found: Record<string, string> = {};
  for (const name of ['sentry_release', 'sentry_environment']) {
    const value = parameters.get(name);
    if (value) found[name] = value;
  }
  return found;
}
