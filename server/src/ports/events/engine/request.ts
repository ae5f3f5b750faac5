/** What one HTTP request asks of the engine; the part of ClickHouse's HTTP interface that `@clickhouse/client` uses. */
import { decodeParam, ParamError, type ParamValue, placeholderTypes } from './params.ts';
import { parseForm } from './multipart.ts';

export type EngineSettings = Readonly<Record<string, string>>;

interface Common {
  readonly queryId: string;
  readonly database: string;
  readonly settings: EngineSettings;
}

export interface InsertRequest extends Common {
  readonly kind: 'insert';
  readonly table: string;
  readonly columns: readonly string[] | undefined;
  readonly format: InsertFormat;
}

export interface QueryRequest extends Common {
  /** `read` runs beside other reads; `command` (DDL and everything else) runs alone. */
  readonly kind: 'read' | 'command';
  readonly sql: string;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly format: string;
}

/** A request that the engine cannot serve; `code` is ClickHouse's number for the trouble. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: number;
  readonly type: string;
  constructor(code: number, type: string, message: string) {
    super(message);
    this.code = code;
    this.type = type;
  }
}

const insertFormats = ['Native', 'JSONEachRow', 'JSONCompactEachRow', 'TabSeparated', 'CSV'] as const;
type InsertFormat = (typeof insertFormats)[number];

/** URL parameters of the HTTP interface that are not settings. */
const transport = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'role',
  'quota_key',
  'compress',
  'decompress',
  'buffer_size',
  'wait_end_of_query',
  'enable_http_compression',
  'http_zlib_compression_level',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'close_session',
  'stacktrace',
]);
const maxSettings = 100;
const insertPattern =
  /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?(\w+(?:\.\w+)?)\s*(?:\(([\w\s,]+)\)\s*)?FORMAT\s+(\w+)\s*;?\s*$/i;
const readPattern = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/|\()*(?:SELECT|WITH|SHOW|DESCRIBE|DESC|EXISTS|EXPLAIN)\b/i;

/** Undefined when the request is no insert; the rows of one are its body. */
export function readInsert(search: URLSearchParams, freshId: () => string): InsertRequest | undefined {
  const insert = insertPattern.exec(search.get('query') ?? '');
  if (!insert) return undefined;
  const [, table = '', columns, format = ''] = insert;
  return {
    ...readCommon(search, freshId),
    kind: 'insert',
    table,
    columns: columns?.split(',').map((column) => column.trim()),
    format: readInsertFormat(format),
  };
}

export function readQuery(
  search: URLSearchParams,
  body: Buffer,
  contentType: string,
  freshId: () => string,
): QueryRequest {
  const common = readCommon(search, freshId);
  const form = parseForm(body, contentType);
  const urlQuery = search.get('query') ?? '';
  const sql = form ? (form.get('query') ?? urlQuery) : [urlQuery, body.toString('utf8')].filter(Boolean).join('\n');
  if (!sql.trim()) throw new RequestError(62, 'SYNTAX_ERROR', 'Empty query');
  // The engine takes SQL as a C string: what follows a NUL would silently be left out.
  if (sql.includes('\0')) throw new RequestError(62, 'SYNTAX_ERROR', 'The query contains a NUL character');
  return {
    ...common,
    kind: readPattern.test(sql) ? 'read' : 'command',
    sql,
    params: readParams(sql, search, form),
    format: search.get('default_format') ?? 'TabSeparated',
  };
}

function readCommon(search: URLSearchParams, freshId: () => string): Common {
  if (search.has('session_id')) throw new RequestError(48, 'NOT_IMPLEMENTED', 'HTTP sessions are not supported');
  return {
    queryId: readQueryId(search.get('query_id'), freshId),
    database: readDatabase(search.get('database')),
    settings: readSettings(search),
  };
}

function readQueryId(id: string | null, freshId: () => string): string {
  return id !== null && /^[\w-]{1,64}$/.test(id) ? id : freshId();
}

function readDatabase(database: string | null): string {
  const name = database ?? 'default';
  if (!/^\w{1,64}$/.test(name)) throw new RequestError(36, 'BAD_ARGUMENTS', 'The database name is not valid');
  return name;
}

function readInsertFormat(name: string): InsertFormat {
  const format = insertFormats.find((known) => known === name);
  if (!format) throw new RequestError(73, 'UNKNOWN_FORMAT', `Format ${name} is not supported for inserts`);
  return format;
}

function readSettings(search: URLSearchParams): EngineSettings {
  const settings: Record<string, string> = Object.create(null);
  let count = 0;
  for (const [name, value] of search) {
    if (transport.has(name) || name.startsWith('param_')) continue;
    if (!/^[a-z][a-z0-9_]{0,80}$/.test(name) || ++count > maxSettings) {
      throw new RequestError(115, 'UNKNOWN_SETTING', 'A URL parameter is no setting');
    }
    settings[name] = value;
  }
  return settings;
}

function readParams(
  sql: string,
  search: URLSearchParams,
  form: Map<string, string> | undefined,
): Record<string, ParamValue> {
  const params: Record<string, ParamValue> = Object.create(null);
  for (const [name, type] of placeholderTypes(sql)) {
    const text = form?.get(`param_${name}`) ?? search.get(`param_${name}`);
    if (text === null || text === undefined) continue;
    try {
      params[name] = decodeParam(text, type);
    } catch (error) {
      if (!(error instanceof ParamError)) throw error;
      throw new RequestError(457, 'BAD_QUERY_PARAMETER', `Parameter ${name}: ${error.message}`);
    }
  }
  return params;
}
