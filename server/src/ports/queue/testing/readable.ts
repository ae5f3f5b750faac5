import type { EventLog } from '../log.ts';
import { createReader } from '../seal.ts';

/** The log with records as they were appended, for whoever looks into it. */
export function readable(log: EventLog): EventLog {
  const open = createReader(log.reader);
  return {
    reader: log.reader,
    append: (...parts) => log.append(...parts),
    async lease(limits) {
      const batch = await log.lease(limits);
      return batch && { ...batch, records: open(batch.records).records };
    },
    read: (...args) => open(log.read(...args)).records,
    acknowledge: (...args) => log.acknowledge(...args),
    release: (batch) => log.release(batch),
    hold: () => log.hold(),
    onAppend: (listener) => log.onAppend(listener),
    stats: () => log.stats(),
    shrink: () => log.shrink(),
    spareBytes: () => log.spareBytes(),
    forgetRetained: (before) => log.forgetRetained(before),
    close: () => log.close(),
    [Symbol.asyncDispose]: () => log.close(),
  };
}
