/**
 * Rows of spans, made by the engine: two weeks of traces through a page and two services, 200 routes of which the k-th
 * is about 1/k as frequent as the first. Of 20,000 spans in a row 1,000 are one trace, the others traces of 50.
 */

export const days = 14;
export const spansPerBlock = 20_000;
const tracesPerBlock = 381;
export const chunkRows = 500_000;

/** Id of trace `t`, the same here and in SQL. */
export const traceIdSql = (t: string): string => `lower(hex(MD5(concat('trace ', toString(${t})))))`;
/** The trace of 1,000 spans in block `b`. */
export const largeTrace = (b: number): number => b * tracesPerBlock;

const spanIdSql = (t: string, p: string): string => `lower(hex(sipHash64(${t}, ${p}, 'span')))`;
/** Uniform in [0, 1), a different one for each purpose; the same for all spans of `by`. */
const chance = (by: string, purpose: number): string => `(sipHash64(${by}, ${purpose}) / 18446744073709551616.)`;
const oneOf = (values: readonly string[], by: string): string =>
  `[${values.map((value) => `'${value}'`).join(', ')}][1 + toUInt64(${by}) % ${values.length}]`;

const tables = ['orders', 'items', 'users', 'baskets', 'prices', 'stock', 'vouchers', 'addresses'];

export interface SpanFill {
  readonly from: number;
  readonly rows: number;
  /** Of the whole store, over which the two weeks are spread. */
  readonly total: number;
  readonly nowMs: number;
  readonly projectId: number;
}

/** An `INSERT INTO spans`. */
export function spanFillSql({ from, rows, total, nowMs, projectId }: SpanFill): string {
  const ops = `multiIf(
    first AND seg = 0, 'pageload', first, 'http.server',
    seg = 0, ${oneOf(['resource.script', 'resource.css', 'resource.img', 'http.client', 'ui.react.render', 'browser.request'], 'p')},
    ${oneOf(['db', 'db', 'db', 'http.client', 'cache.get', 'middleware', 'db', 'function'], 'p')})`;
  return `INSERT INTO spans
    WITH
      intDiv(n, ${spansPerBlock}) AS b, n % ${spansPerBlock} AS r, r < 1000 AS large,
      b * ${tracesPerBlock} + if(large, 0, 1 + intDiv(r - 1000, 50)) AS t,
      if(large, r, (r - 1000) % 50) AS p, if(large, 1000, 50) AS size,
      multiIf(p < intDiv(size, 5), 0, p < intDiv(size * 3, 5), 1, 2) AS seg,
      [0, intDiv(size, 5), intDiv(size * 3, 5)][1 + seg] AS seg_first,
      p = seg_first AS first,
      least(199, toUInt64(pow(201., ${chance('t', 1)})) - 1) AS route,
      ${oneOf(['/page/', 'GET /api/', 'POST /billing/'], 'seg')} AS v_kind,
      concat(v_kind, toString(route)) AS v_transaction,
      ${ops} AS v_op,
      ${oneOf(tables, 'p')} AS v_table,
      multiIf(first, v_transaction,
        v_op = 'db', concat('SELECT id, name, price FROM ', v_table, ' WHERE id = ', toString(sipHash64(t, p) % 100000), ' AND tenant = ', toString(t % 90)),
        v_op = 'http.client', concat('GET https://billing.internal/v2/', v_table, '/', toString(sipHash64(t, p) % 100000)),
        concat(v_op, ' ', v_table, toString(p % 20))) AS v_name,
      multiIf(first, v_transaction,
        v_op = 'db', concat('SELECT id, name, price FROM ', v_table, ' WHERE id = %s AND tenant = %s'),
        v_op = 'http.client', concat('GET https://billing.internal/v2/', v_table, '/*'),
        v_name) AS v_description,
      toUInt64(${nowMs}000 - ${days * 86_400_000_000} * (1 - n / ${total})) AS v_trace_start,
      v_trace_start + seg * 20000 + (p - seg_first) * 900 + sipHash64(t, p, 3) % 500 AS v_start,
      if(first, toUInt64(exp(10.5 + 1.2 * (${chance('t', 4)} + ${chance('t', 5)} + ${chance('t', 6)}) + route % 5 / 4)), toUInt64(exp(4 + 5 * ${chance('t, p', 7)}))) AS v_duration,
      ${chance('t', 8)} < 0.03 AND first AS v_failed,
      concat('u-', toString(toUInt64(${chance('t', 9)} * ${chance('t', 10)} * 200000))) AS v_user,
      ${oneOf(['Chrome', 'Chrome', 'Chrome', 'Safari', 'Firefox', 'Edge'], 'sipHash64(t, 11)')} AS v_browser
    SELECT
      toUInt64(${projectId}) AS project_id,
      ${traceIdSql('t')} AS trace_id,
      ${spanIdSql('t', 'p')} AS span_id,
      multiIf(first AND seg = 0, '', first, ${spanIdSql('t', 'toInt64(seg_first) - 3')}, ${spanIdSql('t', 'toInt64(seg_first) + intDiv(p - seg_first - 1, 4)')}) AS parent_span_id,
      ${spanIdSql('t', 'toInt64(seg_first)')} AS segment_id,
      first AS is_segment,
      fromUnixTimestamp64Micro(toInt64(v_start), 'UTC') AS started_at,
      v_duration AS duration_us,
      if(p * 4 < size, intDiv(v_duration, 3), v_duration) AS exclusive_us,
      fromUnixTimestamp64Milli(toInt64(intDiv(v_start + v_duration, 1000) + 400), 'UTC') AS received_at,
      v_op AS op,
      v_name AS name,
      v_description AS description,
      lower(hex(sipHash64(v_description))) AS description_hash,
      v_transaction AS transaction,
      'route' AS transaction_source,
      if(v_failed, 'internal_error', 'ok') AS status,
      v_failed AS failed,
      multiIf(first AND seg = 0, 'internal', first, 'server', v_op IN ('db', 'http.client'), 'client', 'internal') AS kind,
      concat('auto.', v_op) AS origin,
      ${oneOf(['web', 'api', 'billing'], 'seg')} AS service,
      if(seg = 0, 'javascript', 'node') AS platform,
      if(${chance('t', 12)} < 0.9, 'production', 'staging') AS environment,
      concat('shop@5.', toString(intDiv(n * 40, ${total}))) AS release,
      '' AS dist,
      concat('id:', v_user) AS user,
      if(seg = 0, 'sentry.javascript.react', 'sentry.javascript.node') AS sdk_name,
      '10.78.0' AS sdk_version,
      mapConcat(
        map('sentry.op', v_op, 'user.id', v_user),
        multiIf(
          seg = 0, map('browser.name', v_browser, 'browser.version', concat(toString(120 + t % 20), '.0.0'), 'url.full', concat('https://shop.example.com', v_transaction, '?t=', toString(t % 5000)), 'os.name', ${oneOf(['Windows', 'macOS', 'iOS', 'Android'], 'sipHash64(t, 13)')}),
          map('server.address', concat('web-', toString(t % 24)), 'process.runtime.name', 'node', 'process.runtime.version', '24.4.1', 'thread.name', 'main')),
        multiIf(
          v_op = 'db', map('db.system.name', 'postgresql', 'db.namespace', 'shop', 'db.query.text', v_name, 'db.operation.name', 'SELECT', 'db.user', 'shop'),
          v_op IN ('http.client', 'http.server'), map('http.request.method', 'GET', 'http.route', v_transaction, 'url.full', v_name, 'network.protocol.version', '1.1', 'user_agent.original', 'undici'),
          map('code.function.name', concat('fn', toString(p % 40)), 'code.file.path', concat('src/', v_table, '.ts')))) AS attributes,
      mapConcat(
        if(v_op IN ('http.client', 'http.server'), map('http.response.status_code', if(v_failed, 500., 200.), 'http.response.body.size', toFloat64(sipHash64(t, p) % 20000)), CAST(map(), 'Map(String, Float64)')),
        if(v_op = 'pageload', map('lcp', 800. + 3000. * ${chance('t', 14)}, 'fcp', 500. + 1500. * ${chance('t', 15)}, 'ttfb', 100. + 600. * ${chance('t', 16)}, 'cls', 0.3 * ${chance('t', 17)}, 'inp', 40. + 300. * ${chance('t', 18)}), CAST(map(), 'Map(String, Float64)'))) AS numbers,
      '' AS links, '' AS events, '' AS remarks
    FROM (SELECT toInt64(number) AS n FROM numbers(${from}, ${rows}))
    SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 16384, min_insert_block_size_rows = 65536,
      min_insert_block_size_bytes = 67108864, max_memory_usage = 0, insert_deduplication_token = 'spans-${projectId}-${from}'`;
}

/** One trace of many spans: a segment and what it did, four levels deep. */
export function wideTraceSql({
  projectId,
  spans,
  nowMs,
}: {
  readonly projectId: number;
  readonly spans: number;
  readonly nowMs: number;
}): { readonly sql: string; readonly traceId: string } {
  const traceId = spans.toString(16).padStart(32, '0');
  const id = (n: string): string => `leftPad(lower(hex(toUInt64(${n}))), 16, '0')`;
  return {
    traceId,
    sql: `INSERT INTO spans (project_id, trace_id, span_id, parent_span_id, segment_id, is_segment, started_at, duration_us, exclusive_us,
        received_at, op, name, transaction, status, service, platform)
      SELECT ${projectId}, '${traceId}', ${id('number + 1')},
        if(number = 0, '', ${id('intDiv(number - 1, 32) + 1')}), ${id('1')}, number = 0,
        fromUnixTimestamp64Micro(${nowMs}000 - 60000000 + toInt64(number) * 10, 'UTC'), if(number = 0, ${spans} * 10, 900), 10,
        now64(3), if(number = 0, 'http.server', 'db'), concat('SELECT ', toString(number)), 'GET /wide', 'ok', 'wide', 'node'
      FROM numbers(${spans}) SETTINGS max_threads = 1, max_memory_usage = 0, insert_deduplication_token = 'wide-${spans}'`,
  };
}
