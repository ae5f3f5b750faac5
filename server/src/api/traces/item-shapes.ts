/** A span or a log as one list of attributes, which Sentry's clients read. */
import type { z } from 'zod';
import type { LogDetails } from '../../domains/logs/index.ts';
import type { SpanDetails } from '../../domains/traces/index.ts';
import { iso } from '../shared/read.ts';
import type { getTraceItem } from './contract.ts';

type Item = z.output<typeof getTraceItem.response>;
type Attribute = Item['attributes'][number];

const isText = ([, value]: readonly [string, string | number | boolean]): boolean => value !== '';

function attribute([name, value]: readonly [string, string | number | boolean]): Attribute {
  if (typeof value === 'string') return { name, type: 'str', value };
  if (typeof value === 'boolean') return { name, type: 'bool', value };
  return Number.isInteger(value) ? { name, type: 'int', value } : { name, type: 'float', value };
}

/** Those of the SDK first; what it said itself goes before what was computed. */
function item(
  itemId: string,
  startUs: number,
  own: Readonly<Record<string, string | number>>,
  more: Readonly<Record<string, string | number | boolean>>,
): Item {
  const all = { ...more, ...own };
  return {
    itemId,
    timestamp: iso(startUs / 1000),
    attributes: Object.entries(all).filter(isText).map(attribute),
    links: null,
    meta: {},
  };
}

export function spanItem(span: SpanDetails, traceId: string): Item {
  const { attributes, numbers, exclusiveUs } = span;
  return item(
    span.spanId,
    span.startUs,
    { ...attributes, ...numbers },
    {
      trace: traceId,
      span_id: span.spanId,
      parent_span: span.parentSpanId,
      project_id: span.projectId,
      'precise.start_ts': span.startUs / 1e6,
      'precise.finish_ts': (span.startUs + span.durationUs) / 1e6,
      'span.duration': span.durationUs / 1000,
      ...(exclusiveUs >= 0 && { 'span.self_time': exclusiveUs / 1000 }),
      'span.op': span.op,
      'span.name': span.name,
      'span.description': span.description,
      'span.status': span.status,
      'span.kind': span.kind,
      is_transaction: span.isSegment,
      transaction: span.transaction,
      origin: span.origin,
      'service.name': span.service,
      platform: span.platform,
      environment: span.environment,
      release: span.release,
      dist: span.dist,
      user: span.user,
      'sdk.name': span.sdkName,
      'sdk.version': span.sdkVersion,
    },
  );
}

export function logItem(log: LogDetails): Item {
  const { attributes, numbers } = log;
  return item(
    log.id,
    log.atUs,
    { ...attributes, ...numbers },
    {
      trace: log.traceId,
      span_id: log.spanId,
      project_id: log.projectId,
      severity: log.level,
      severity_number: log.severityNumber,
      message: log.body,
      origin: log.origin,
      'service.name': log.service,
      environment: log.environment,
      release: log.release,
      'sdk.name': log.sdkName,
      'sdk.version': log.sdkVersion,
    },
  );
}
