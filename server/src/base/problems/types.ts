/** The kinds of performance problems: what finds each, the type of its issues, and their title. */
import { titles } from '../texts/detectors.ts';

export const problemTypes = {
  nPlusOneDb: { type: 'performance_n_plus_one_db_queries', title: titles.nPlusOneDb },
  mnPlusOneDb: { type: 'performance_n_plus_one_db_queries', title: titles.mnPlusOneDb },
  consecutiveDb: { type: 'performance_consecutive_db_queries', title: titles.consecutiveDb },
  slowDb: { type: 'performance_slow_db_query', title: titles.slowDb },
  nPlusOneApi: { type: 'performance_n_plus_one_api_calls', title: titles.nPlusOneApi },
  consecutiveHttp: { type: 'performance_consecutive_http', title: titles.consecutiveHttp },
  largePayload: { type: 'performance_large_http_payload', title: titles.largePayload },
  renderBlockingAsset: { type: 'performance_render_blocking_asset_span', title: titles.renderBlockingAsset },
  uncompressedAsset: { type: 'performance_uncompressed_assets', title: titles.uncompressedAsset },
  httpOverhead: { type: 'performance_http_overhead', title: titles.httpOverhead },
  fileIoOnMainThread: { type: 'performance_file_io_main_thread', title: titles.fileIoOnMainThread },
  dbOnMainThread: { type: 'performance_db_main_thread', title: titles.dbOnMainThread },
  queryInjection: { type: 'query_injection_vulnerability', title: titles.queryInjection },
} as const;

export type DetectorName = keyof typeof problemTypes;

/** Types of issues whose events are performance problems. */
export const performanceIssueTypes: ReadonlySet<string> = new Set(Object.values(problemTypes).map(({ type }) => type));
