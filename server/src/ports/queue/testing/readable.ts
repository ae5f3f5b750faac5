import type { EmbeddedLog, EventLog } from '../log.ts';
import { createReader } from '../seal.ts';

/** The log with records as they were appended, for whoever looks into it. */
export function readable(log: EmbeddedLog): EmbeddedLog;
export function readable(log: EventLog): EventLog;
export function readable(log: EventLog): EventLog {
  const open = createReader(log.reader);
  const common: EventLog = {
    reader: log.reader,
    append: (...parts) => log.append(...parts),
    async lease(limits) {
      const batch = await log.lease(limits);
      return batch && { ...batch, records: open(batch.records).records };
    },
    read: async (...args) => open(await log.read(...args)).records,
    acknowledge: (...args) => log.acknowledge(...args),
    release: (batch) => log.release(batch),
    end: () => log.end(),
    isDoneBefore: (position) => log.isDoneBefore(position),
    onAppend: (listener) => log.onAppend(listener),
    stats: () => log.stats(),
    close: () => log.close(),
    [Symbol.asyncDispose]: () => log.close(),
  };
  const { embedded } = log;
  if (!embedded) return common;
  const whole: EmbeddedLog = {
    ...common,
    get embedded() {
      return whole;
    },
    read: (...args) => open(embedded.read(...args)).records,
    hold: () => embedded.hold(),
    shrink: () => embedded.shrink(),
    spareBytes: () => embedded.spareBytes(),
    forgetRetained: (before) => embedded.forgetRetained(before),
  };
  return whole;
}
