/** Codec for Sentry envelopes, and what goes with it on the wire. No dependencies; runs in Node, browsers and edge. */
export { readAuth, protocolVersion, type Auth, type AuthErrorCode, type AuthResult, type AuthSources } from './auth.ts';
export { envelopeUrl, formatDsn, parseDsn, type Dsn } from './dsn.ts';
export {
  defaultLimits,
  parseEnvelope,
  readEnvelopeHeader,
  serializeEnvelope,
  walkItems,
  type Envelope,
  type EnvelopeHeader,
  type EnvelopeLimits,
  type Item,
  type ItemHeader,
  type ItemToWrite,
} from './envelope.ts';
export { EnvelopeError, type EnvelopeErrorCode } from './error.ts';
export {
  createEventId,
  parseEventId,
  parseSpanId,
  parseTraceId,
  type EventId,
  type SpanId,
  type TraceId,
} from './ids.ts';
export {
  isContainer,
  itemQuantity,
  itemType,
  itemTypes,
  maxReplayInflatedBytes,
  type DataCategory,
  type ItemType,
} from './item-types.ts';
export * as envelopeTexts from './texts.ts';
export { formatRateLimits, parseRateLimits, type RateLimit } from './rate-limits.ts';
