/** What each metric of /metrics is. */
export const metrics = {
  culprit_log_records: 'Requests waiting in the log',
  culprit_log_bytes: 'Bytes waiting in the log',
  culprit_log_limit_bytes: 'Bytes at which ingestion responds 503',
  culprit_log_unreadable_records: 'Waiting requests that the key cannot open',
  culprit_processing_lag_seconds: 'Age of the oldest request in processing',
  culprit_processed_requests: 'Requests processed since the start',
  culprit_processing_restarts: 'Processing threads that crashed since the start',
  culprit_frames_mapped: 'Frames of built scripts that were mapped',
  culprit_frames_unresolved: 'Frames of built scripts that were not mapped',
  culprit_lookup_cache_hits: 'Source map lookups that were already open',
  culprit_lookup_cache_misses: 'Source map lookups that were opened',
  culprit_lookup_cache_bytes: 'Memory of open source map lookups',
  culprit_lookup_cache_hit_ratio: 'Share of source map lookups that were already open, 0 to 1',
  culprit_ingest_requests: 'Ingestion requests by endpoint and status',
  culprit_ingest_refused: 'Rejected ingestion requests by error code',
  culprit_ingest_received_bytes: 'Bytes of request bodies since the start',
  culprit_ingest_in_flight: 'Ingestion requests in progress',
} as const;

export type MetricName = keyof typeof metrics;
