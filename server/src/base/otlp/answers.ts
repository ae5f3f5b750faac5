/** What OTLP endpoints answer: the response of the signal, or `google.rpc.Status`, both in the sender's encoding. */
import protobuf from 'protobufjs/minimal.js';
import { type Signal, signals, type WireForm } from './signals.ts';

export interface Rejected {
  /** Records that were not taken, of a request of which others were. */
  readonly count: number;
  readonly why: string;
}

/** Export…ServiceResponse; empty when all was taken. */
export function exportResponse(signal: Signal, form: WireForm, rejected?: Rejected): Buffer {
  if (!rejected) return Buffer.from(form === 'json' ? '{}' : '');
  const { count, why } = rejected;
  if (form === 'json') {
    // 64-bit numbers are text in the JSON of protobuf.
    return Buffer.from(
      JSON.stringify({ partialSuccess: { [signals[signal].rejected]: String(count), errorMessage: why } }),
    );
  }
  // The three responses differ in names alone: partial success in field 1, in it the count in 1, the message in 2.
  const writer = protobuf.Writer.create().uint32(tag(1, 2)).fork();
  writer.uint32(tag(1, 0)).int64(count).uint32(tag(2, 2)).string(why);
  return Buffer.from(writer.ldelim().finish());
}

/** `google.rpc.Status`: code in field 1, message in 2. */
export function statusResponse(httpStatus: number, message: string, form: WireForm): Buffer {
  const code = rpcCode(httpStatus);
  if (form === 'json') return Buffer.from(JSON.stringify({ code, message }));
  return Buffer.from(protobuf.Writer.create().uint32(tag(1, 0)).int32(code).uint32(tag(2, 2)).string(message).finish());
}

/** As a call of gRPC is answered; with `google.rpc.RetryInfo` (a duration in seconds) where the client may come again. */
export function grpcStatus(
  httpStatus: number,
  message: string,
  retryAfter?: number,
): { readonly code: number; readonly details?: Buffer } {
  const code = rpcCode(httpStatus);
  if (retryAfter === undefined) return { code };
  const writer = protobuf.Writer.create().uint32(tag(1, 0)).int32(code).uint32(tag(2, 2)).string(message);
  // Status.details, an Any: its type in 1, its bytes in 2; in them the delay in 1, its seconds in 1.
  writer.uint32(tag(3, 2)).fork().uint32(tag(1, 2)).string('type.googleapis.com/google.rpc.RetryInfo');
  writer.uint32(tag(2, 2)).fork().uint32(tag(1, 2)).fork().uint32(tag(1, 0)).int64(retryAfter);
  return { code, details: Buffer.from(writer.ldelim().ldelim().ldelim().finish()) };
}

const rpcCodes: Readonly<Record<number, number>> = { 401: 16, 403: 7, 408: 4, 413: 8, 429: 8, 503: 14 };

/** INVALID_ARGUMENT for other refusals, INTERNAL for other failures. */
function rpcCode(httpStatus: number): number {
  return rpcCodes[httpStatus] ?? (httpStatus >= 500 ? 13 : 3);
}

const tag = (field: number, wireType: number): number => (field << 3) | wireType;
