/** Classes of retention in words. Pure. */
import type { RetentionClass, RetentionPreview } from '../../features/retention/queries.ts';
import type { Cost, ProjectCost, ProjectCosts } from '../../features/costs/queries.ts';
import * as c from '../../messages/costs.ts';
import * as m from '../../messages/retention.ts';
import { byteSize, exactNumber, times } from '../../ui/numbers.ts';

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

/** `Errors 1.2 GB, Logs 300 MB`: what there is of each class, the largest first. */
export const classesText = ({ classes }: Pick<ProjectCost, 'classes'>): string =>
  classes
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => c.ofClass({ name: m.classes[name], size: byteSize(bytes) }))
    .join(', ');

/** `Logs: this deletes 1,204 rows, about 4.2 GB`; without the size where nothing was measured. */
export function deletesText({
  name,
  freedRows,
  freedBytes,
}: Pick<RetentionPreview['classes'][number], 'name' | 'freedRows' | 'freedBytes'>): string {
  const words = { name: m.classes[name], count: freedRows };
  return freedBytes > 0 ? m.deletesRows({ ...words, size: byteSize(freedBytes) }) : m.deletesUnmeasured(words);
}

/** From such a share of it on the interval is told. */
const exactShare = 0.01;

/** `about 1.2 GB (1.1 GB to 1.3 GB)`; the size alone where the interval is narrow. */
export const estimateText = ({ bytes, low, high }: Pick<Cost, 'bytes' | 'low' | 'high'>): string =>
  high - low <= 2 * exactShare * bytes
    ? byteSize(bytes)
    : c.about({ size: byteSize(bytes), low: byteSize(low), high: byteSize(high) });

/** `2.4.1 sends 3.1× the breadcrumbs of 2.4.0 (2.8× to 3.4×).` */
export function growthText({
  table,
  release,
  before,
  part,
  times: factor,
  low,
  high,
}: ProjectCosts['growth'][number]): string {
  const words = { release, before, times: times(factor), low: times(low), high: times(high) };
  if (part === '') return c.grewWhole[table](words);
  return table === 'errors' ? c.grew({ ...words, part }) : c.grewIn[table]({ ...words, part });
}

export const nameOr = (name: string, other: string): string => (name === '' ? other : name);
