/**
 * The key of the project to which the installation reports its own failures. It stands in every page, so that anybody
 * may send with it: no more is taken than what the console's SDK sends, and of each address a few requests a second.
 */
import { CodedError } from '../base/errors.ts';
import type { Exchange, Ingest } from './exchange.ts';
import type { IngestKey } from './keys.ts';
import { TooManyReportsError } from './refuse.ts';
import type { ScannedItem } from './scan.ts';

/** Web vitals are spans. */
const takenTypes: ReadonlySet<string> = new Set([
  'event',
  'transaction',
  'span',
  'session',
  'sessions',
  'client_report',
]);
const takenEndpoints: ReadonlySet<string> = new Set(['envelope', 'tunnel']);

/** A page that loads all its chunks has a span of each: such envelopes were seen to pass 256 KiB. */
const maxBodyBytes = 1024 * 1024;
const maxEnvelopeBytes = 1024 * 1024;

interface BodyLimits {
  readonly maxBodyBytes: number;
  /** Decompressed. */
  readonly maxEnvelopeBytes: number;
}

/** Throws INTERNAL_KEY for what the console does not call, TOO_MANY_REPORTS for an address that calls too often. */
export function admitInternal({ visitors }: Pick<Ingest, 'visitors'>, exchange: Exchange, key: IngestKey): void {
  if (!key.settings.internal || exchange.isAdmitted) return;
  if (!takenEndpoints.has(exchange.endpoint)) throw new CodedError('INTERNAL_KEY');
  const waitSeconds = visitors.take(exchange.remoteAddress);
  if (waitSeconds > 0) throw new TooManyReportsError(waitSeconds);
  exchange.isAdmitted = true;
}

/** What a body sent with the key may come to; of an unknown key the configured limits. */
export function bodyLimits({ config }: Pick<Ingest, 'config'>, key: IngestKey | undefined): BodyLimits {
  if (!key?.settings.internal) return config;
  return {
    maxBodyBytes: Math.min(maxBodyBytes, config.maxBodyBytes),
    maxEnvelopeBytes: Math.min(maxEnvelopeBytes, config.maxEnvelopeBytes),
  };
}

/** Through a tunnel the key is known only with the body. Throws BODY_TOO_LARGE. */
export function checkBodySize(limits: BodyLimits, sentBytes: number, bytes: number): void {
  if (sentBytes > limits.maxBodyBytes) throw new CodedError('BODY_TOO_LARGE', [limits.maxBodyBytes]);
  if (bytes > limits.maxEnvelopeBytes) throw new CodedError('BODY_TOO_LARGE', [limits.maxEnvelopeBytes]);
}

/** Those that the project does not take. */
export function foreignItems(items: readonly ScannedItem[], key: IngestKey): readonly ScannedItem[] {
  return key.settings.internal ? items.filter(({ type }) => !takenTypes.has(type.name)) : [];
}
