/** OTLP, OpenTelemetry's protocol, as it stands on the wire: both encodings, all three signals. */
export { exportResponse, grpcStatus, type Rejected, statusResponse } from './answers.ts';
export { countFrames, eachFrame, type Range } from './frames.ts';
export { countJson } from './json-count.ts';
export { decodeMessage, Nanos } from './message.ts';
export { messagePlan } from './schema.ts';
export { OtlpError, type Signal, signalNames, signals, type WireForm } from './signals.ts';
