/** Classes of retention in words. Pure. */
import type { RetentionClass } from '../../features/retention/queries.ts';
import * as m from '../../messages/retention.ts';
import { byteSize, exactNumber } from '../../ui/numbers.ts';

/** `4.2 GB stored, 1,204 rows` */
export function storedText({ storedBytes, storedRows }: Pick<RetentionClass, 'storedBytes' | 'storedRows'>): string {
  if (storedBytes === null || storedRows === null) return m.notMeasured;
  return m.stored({ size: byteSize(storedBytes), rows: exactNumber(storedRows) });
}

/** `30 days, up to 10 GB` */
export const keptText = ({ keptDays, limitBytes }: Pick<RetentionClass, 'keptDays' | 'limitBytes'>): string =>
  limitBytes === null
    ? m.kept({ days: exactNumber(keptDays) })
    : m.keptUpTo({ days: exactNumber(keptDays), size: byteSize(limitBytes) });
