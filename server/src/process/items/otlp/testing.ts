/** Requests of OpenTelemetry for tests of their items. */
import { expect } from 'vitest';
import type { SpanRow } from '../../../base/tables/spans.ts';
import { toProtobuf, tracesOf } from '../../../base/otlp/made.ts';
import { signals, type Signal } from '../../../base/otlp/index.ts';
import type { ItemContext, ItemResult } from '../../types.ts';
import { context as usual } from '../testing.ts';
import { types } from './index.ts';

/** A minute after the spans of the tests. */
export const context: ItemContext = { ...usual, receivedAt: 1_795_229_919_000 };

export function runBytes(
  signal: Signal,
  payload: Uint8Array,
  header: object,
  overrides: Partial<ItemContext> = {},
): ItemResult {
  const type = signals[signal].itemType;
  const process = types[type];
  if (!process) throw new Error(type);
  return finished(process({ type, header: { ...header }, payload }, { ...context, ...overrides }));
}

/** As if nothing was reported by an SDK, unless told. */
export function finished(result: ItemResult, isReported = false): ItemResult {
  const rest = (result.maybeReported ?? []).map((error) => error.finish(isReported));
  return {
    ...result,
    outcomes: [...result.outcomes, ...rest.flatMap(({ outcomes }) => outcomes)],
    events: rest.flatMap(({ events }) => events ?? []),
  };
}

/** In both encodings, which must end alike. */
export function run(signal: Signal, request: object, take = 1_000, overrides: Partial<ItemContext> = {}): ItemResult {
  const json = runBytes(signal, Buffer.from(JSON.stringify(request)), { form: 'json', take }, overrides);
  const protobuf = runBytes(signal, toProtobuf(signal, request), { form: 'protobuf', take }, overrides);
  expect(protobuf.rows?.spans).toEqual(json.rows?.spans);
  expect(protobuf.rows?.logs).toEqual(json.rows?.logs);
  expect(protobuf.outcomes).toEqual(json.outcomes);
  expect(protobuf.events?.map(({ row }) => row)).toEqual(json.events?.map(({ row }) => row));
  return json;
}

export function spansOf(spans: readonly object[], resource?: readonly object[]): readonly SpanRow[] {
  return run('traces', tracesOf(spans, resource)).rows?.spans ?? [];
}

export function only<Value>(values: readonly Value[] | undefined): Value {
  const [value] = values ?? [];
  if (value === undefined || values?.length !== 1) throw new Error(`expected one, got ${values?.length}`);
  return value;
}

export const remarksOf = ({ remarks }: SpanRow): unknown[] =>
  remarks === '' ? [] : (JSON.parse(remarks) as unknown[]);
