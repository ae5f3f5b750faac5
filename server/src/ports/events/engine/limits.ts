/** How much of the machine the embedded engine may take: it shares a small one with the server. */

const mib = 1024 * 1024;

/** Applied to every statement; a request's own settings win. */
export const sessionSettings: Readonly<Record<string, string>> = {
  max_execution_time: '30',
  session_timezone: 'UTC',
  async_insert: '0',
  // A thread for each core. The engine's own default wants a GB of free memory for each, and would run all on one.
  max_threads_min_free_memory_per_thread: String(32 * mib),
};

/** Command-line arguments of the engine. */
export function engineArguments(memoryBytes: number): string[] {
  const perQuery = Math.floor(memoryBytes / 2);
  const values: Record<string, number> = {
    max_server_memory_usage: memoryBytes,
    max_memory_usage: perQuery,
    max_bytes_before_external_group_by: Math.floor(perQuery / 2),
    max_bytes_before_external_sort: Math.floor(perQuery / 2),
    mark_cache_size: 32 * mib,
    index_mark_cache_size: 16 * mib,
    primary_index_cache_size: 32 * mib,
    query_condition_cache_size: 8 * mib,
    compiled_expression_cache_size: 8 * mib,
    max_thread_pool_size: 200,
    max_io_thread_pool_size: 16,
    background_pool_size: 2,
  };
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}
