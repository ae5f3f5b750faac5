/** Logs as the API shows them. */
import type { z } from 'zod';
import type { LogDetails, LogLine } from '../../domains/logs/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type { getLog, listLogs } from './contract.ts';
import { iso, list } from '../shared/read.ts';

type Log = z.output<typeof listLogs.response>[number];

/** µs since the epoch as ISO 8601 with all six digits. */
const isoMicros = (us: number): string =>
  iso(Math.floor(us / 1000)).replace('Z', `${String(us % 1000).padStart(3, '0')}Z`);

export const toLog = (log: LogLine): Log => ({
  id: log.id,
  projectId: String(log.projectId),
  traceId: log.traceId || null,
  spanId: log.spanId || null,
  timestamp: isoMicros(log.atUs),
  level: log.level,
  severityNumber: log.severityNumber,
  message: log.body,
  service: log.service,
  environment: log.environment,
  release: log.release,
});

export const toLogDetails = (log: LogDetails): z.output<typeof getLog.response> => ({
  ...toLog(log),
  dateObserved: isoMicros(log.observedUs),
  dateReceived: iso(log.receivedAt),
  origin: log.origin,
  sdk: { name: log.sdkName, version: log.sdkVersion },
  attributes: { ...log.attributes },
  numbers: { ...log.numbers },
  remarks: [...list(log.remarks === '' ? [] : (JSON.parse(log.remarks) as unknown))],
});

type Cell = string | number | null;

interface Field {
  readonly type: 'string' | 'number' | 'integer' | 'date';
  value(log: LogLine, project: Project | undefined): Cell;
}

const field = (type: Field['type'], value: Field['value']): Field => ({ type, value });
const precise = field('number', ({ atUs }) => atUs * 1000);
const id = field('string', (log) => log.id);
const level = field('string', (log) => log.level);
const slug = field('string', (_, project) => project?.slug ?? null);
const span = field('string', (log) => log.spanId || null);

/** By the names that Sentry's clients ask for. */
const fields: ReadonlyMap<string, Field> = new Map([
  ['id', id],
  ['sentry.item_id', id],
  ['trace', field('string', (log) => log.traceId || null)],
  ['span', span],
  ['span_id', span],
  ['trace.parent_span_id', span],
  ['severity', level],
  ['level', level],
  ['severity_number', field('integer', (log) => log.severityNumber)],
  ['timestamp', field('date', (log) => isoMicros(log.atUs))],
  ['timestamp_precise', precise],
  ['tags[sentry.timestamp_precise,number]', precise],
  ['message', field('string', (log) => log.body)],
  ['service', field('string', (log) => log.service || null)],
  ['environment', field('string', (log) => log.environment || null)],
  ['release', field('string', (log) => log.release || null)],
  ['project', slug],
  ['project.name', slug],
  ['project.id', field('integer', (log) => log.projectId)],
]);

/** Undefined for what logs do not have. */
export const logFieldType = (name: string): Field['type'] | undefined => fields.get(name)?.type;

export interface LogTable {
  readonly data: Record<string, Cell>[];
  readonly meta: { readonly fields: Record<string, string> };
}

/** A row for each log with the named fields; null for names that are none. */
export function toLogTable(
  logs: readonly LogLine[],
  names: readonly string[],
  projects: ReadonlyMap<number, Project>,
): LogTable {
  const chosen = [...new Set(names)].map((name) => [name, fields.get(name)] as const);
  return {
    data: logs.map((log) => {
      const project = projects.get(log.projectId);
      return Object.fromEntries(chosen.map(([name, one]) => [name, one?.value(log, project) ?? null]));
    }),
    meta: { fields: Object.fromEntries(chosen.map(([name, one]) => [name, one?.type ?? 'string'])) },
  };
}
