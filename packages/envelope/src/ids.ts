declare const brand: unique symbol;

/** 32 lower-case hex digits without hyphens. */
export type EventId = string & { readonly [brand]: 'EventId' };
/** 32 lower-case hex digits, not all zero. */
export type TraceId = string & { readonly [brand]: 'TraceId' };
/** 16 lower-case hex digits, not all zero. */
export type SpanId = string & { readonly [brand]: 'SpanId' };

const hex32 = /^[0-9a-f]{32}$/;
const hex16 = /^[0-9a-f]{16}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Also for ids of replays, profiles and check-ins. With or without hyphens, in any case; undefined for all else. */
export function parseEventId(value: unknown): EventId | undefined {
  const digits = parseHex32(value);
  return digits === undefined ? undefined : (digits as EventId);
}

/** Undefined for all zeros too: W3C and SDKs use that for "no trace". */
export function parseTraceId(value: unknown): TraceId | undefined {
  if (typeof value === 'string' && value.length === 32 && isLowerHex(value)) return value as TraceId;
  const digits = parseHex32(value);
  return digits === undefined || isZero(digits) ? undefined : (digits as TraceId);
}

export function parseSpanId(value: unknown): SpanId | undefined {
  if (typeof value !== 'string' || value.length !== 16) return undefined;
  if (isLowerHex(value)) return value as SpanId;
  const digits = value.toLowerCase();
  return hex16.test(digits) && !isZero(digits) ? (digits as SpanId) : undefined;
}

/** A random (version 4) id. */
export function createEventId(): EventId {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let digits = '';
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0');
  return digits as EventId;
}

function parseHex32(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.length === 32) {
    const digits = value.toLowerCase();
    return hex32.test(digits) ? digits : undefined;
  }
  if (value.length === 36) {
    const digits = value.toLowerCase();
    return uuid.test(digits) ? digits.replaceAll('-', '') : undefined;
  }
  return undefined;
}

/** As nearly all ids are sent: lower-case hex digits and not all zero, told in one walk. */
function isLowerHex(text: string): boolean {
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || (code > 57 && code < 97) || code > 102) return false;
    digits |= code;
  }
  return digits !== 48;
}

function isZero(digits: string): boolean {
  return !/[^0]/.test(digits);
}
