/** The kinds of performance problems: what finds each, the type of its issues, and their title. */

export const problemTypes = {
  nPlusOneDb: { type: 'performance_n_plus_one_db_queries', title: 'N+1 Query' },
  mnPlusOneDb: { type: 'performance_n_plus_one_db_queries', title: 'N+1 Query' },
  consecutiveDb: { type: 'performance_consecutive_db_queries', title: 'Consecutive DB Queries' },
  slowDb: { type: 'performance_slow_db_query', title: 'Slow DB Query' },
  nPlusOneApi: { type: 'performance_n_plus_one_api_calls', title: 'N+1 API Call' },
  consecutiveHttp: { type: 'performance_consecutive_http', title: 'Consecutive HTTP' },
  largePayload: { type: 'performance_large_http_payload', title: 'Large HTTP Payload' },
  renderBlockingAsset: { type: 'performance_render_blocking_asset_span', title: 'Large Render Blocking Asset' },
  uncompressedAsset: { type: 'performance_uncompressed_assets', title: 'Uncompressed Asset' },
  httpOverhead: { type: 'performance_http_overhead', title: 'HTTP/1.1 Overhead' },
  fileIoOnMainThread: { type: 'performance_file_io_main_thread', title: 'File IO on Main Thread' },
  dbOnMainThread: { type: 'performance_db_main_thread', title: 'DB on Main Thread' },
  queryInjection: { type: 'query_injection_vulnerability', title: 'Potential Query Injection Vulnerability' },
} as const;

export type DetectorName = keyof typeof problemTypes;

/** Types of issues whose events are performance problems. */
export const performanceIssueTypes: ReadonlySet<string> = new Set(Object.values(problemTypes).map(({ type }) => type));
