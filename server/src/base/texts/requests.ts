/** What is wrong with a request of the API: "start must be a time such as 2026-02-03T10:00:00Z." */
import { number } from './intl.ts';

const time = 'must be a time such as 2026-02-03T10:00:00Z';

/** Where a value stands, before what is wrong with it. */
export const places = {
  querystring: 'query parameter',
  params: 'path parameter',
  body: 'field',
  headers: 'header',
  other: 'input',
  wholeBody: 'the request body',
} as const;

export const requests = {
  invalid: 'The request is not valid',
  host: 'The Host header is not a valid host name',
  field: (name: string, problem: string) => `field ${name}: ${problem}`,
  oneProject: 'Exactly one project is required',
  digest: 'A digest must be digits, with or without @E7',
  channelType: (id: string | number, type: string) => `channel ${id} has type ${type}`,
  unknownSetting: (name: string | undefined) => `unknown setting ${name}`,
  sameRelease: 'from and to are the same release',
  notFound: (method: string, path: string) => `${method} ${path} not found`,
  failed: 'Something went wrong on the server',
} as const;

export const timeRange = {
  time: (name: string) => `${name} ${time}`,
  timeOfField: (name: string) => `${name}: ${time}`,
  noStart: 'end requires a start',
  order: 'end must be after start',
  tooLong: 'the range must be at most ten years',
  period: 'statsPeriod must be greater than zero and at most ten years',
} as const;

export const explore = {
  perPage: (max: number) => `per_page: at most ${max}`,
  lastPage: (max: number) => `Pages reach the first ${number(max)} rows. Export the rest`,
  selection: 'selection: requires query, start or range',
  noDataSet: (name: string) => `Culprit has no data set ${name}; use errors, spans, transactions or logs`,
  tooMany: (parameter: string, max: number, found: number) => `${parameter}: at most ${max}, found ${found}`,
  tooManyGroups: (max: number, found: number) => `field: at most ${max} to group by, found ${found}`,
} as const;

export const exports = {
  unknownField: (name: string, known: readonly string[]) =>
    `field: unknown ${name}; expected one of ${known.join(', ')}`,
  timeOnly: (dataset: string) => `${dataset} can be exported by time only, without a query`,
  noEnvironment: (dataset: string) => `${dataset} have no environment`,
  failed: (digest: string) => `The export failed. Search the server's log for ${digest}`,
  interrupted: 'it was interrupted too often',
} as const;

export const symbolication = {
  newest: (max: number) => `Only the newest ${number(max)} events were symbolicated again`,
} as const;

export const logs = {
  unknownKeys: (names: readonly string[]) => `Logs cannot be searched by ${names.join(', ')}`,
  unknownField: (name: string) => `Logs have no field ${name}`,
  traceId: 'traceId must be one or more trace IDs of 32 hexadecimal digits',
  sort: 'Logs can only be sorted by timestamp',
} as const;

export const traces = {
  spanOfTrace: 'trace_id: is required for spans',
} as const;

export const sessions = {
  tooManyFields: (max: number) => `At most ${max} fields`,
  groupBy: (name: string, known: readonly string[]) =>
    `groupBy: unknown field ${name}; expected one of ${known.join(', ')}`,
  field: (name: string, known: string) => `field: ${name} is no field of sessions, try ${known}`,
  rate: (name: string) => `field: ${name} is a rate over all statuses; remove session.status`,
  query: 'query: sessions can be searched by release, environment and project only',
} as const;
