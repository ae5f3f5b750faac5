/** Fields of the protocol's contexts that are measures, with the unit that SDKs send them in. Pure. */
import * as m from '../../messages/event.ts';
import { byteSize, exactNumber, percentage, withUnit } from '../../ui/numbers.ts';

const ofBytes = new Set([
  'app_memory',
  'memory_size',
  'free_memory',
  'usable_memory',
  'storage_size',
  'free_storage',
  'external_storage_size',
  'external_free_storage',
  'body_size',
]);

export interface Quantity {
  /** `104.9 MB` */
  readonly text: string;
  /** `104,935,424 bytes`; undefined where nothing was left out. */
  readonly exact: string | undefined;
}

/** Undefined for what is no measure. */
export function quantityOf(context: string, key: string, value: unknown): Quantity | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  // Of graphics cards it is megabytes, and engines differ in whether those are of 1000 or of 1024.
  if ((ofBytes.has(key) && context !== 'gpu') || key.endsWith('_bytes'))
    return { text: byteSize(value), exact: value < 1000 ? undefined : m.bytes({ count: value }) };
  if (context !== 'device') return undefined;
  if (key === 'battery_level' && value <= 100) return { text: percentage(value / 100), exact: undefined };
  if (key === 'processor_frequency') return { text: withUnit(exactNumber(value), 'MHz'), exact: undefined };
  return undefined;
}
