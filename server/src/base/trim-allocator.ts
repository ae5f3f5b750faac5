import { DatabaseSync } from 'node:sqlite';

/**
 * Gives back what buffers have left in the allocator of the process. glibc does that by itself for the ends of its heaps
 * alone: a body, or a page of the log, that is freed amid others stays, which after a burst is half of the process.
 *
 * From JavaScript there is no way to its `malloc_trim` but this: SQLite calls, in a library that it is told of, the
 * function that it is told of. It passes addresses for what is a number there (how much to leave at the end of the heap,
 * which glibc looks after anyway), and takes the 1 that says that memory was given back for a failure. Where there is no
 * glibc, nothing happens.
 */
export function trimAllocator(): void {
  if (process.platform !== 'linux') return;
  const database = new DatabaseSync(':memory:', { allowExtension: true });
  try {
    database.loadExtension('libc.so.6', 'malloc_trim');
  } catch {
    // Nothing depends on it.
  } finally {
    database.close();
  }
}
