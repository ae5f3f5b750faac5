/** A word for each kind of performance problem, short enough to stand in a row. */
const words: Readonly<Record<string, string>> = {
  performance_n_plus_one_db_queries: 'N+1 query',
  performance_n_plus_one_api_calls: 'N+1 call',
  performance_consecutive_db_queries: 'consecutive queries',
  performance_consecutive_http: 'consecutive calls',
  performance_slow_db_query: 'slow query',
  performance_render_blocking_asset_span: 'blocks rendering',
  performance_uncompressed_assets: 'uncompressed',
  performance_large_http_payload: 'large payload',
  performance_http_overhead: 'HTTP overhead',
  performance_db_main_thread: 'query on main thread',
  performance_file_io_main_thread: 'file on main thread',
  query_injection_vulnerability: 'query injection',
};

export function problemWord(type: string): string {
  const known = Object.hasOwn(words, type) ? words[type] : undefined;
  return known ?? (type.replace(/^performance_/, '').replaceAll('_', ' ') || 'problem');
}
