/** What makes an event worth looking at, of the columns of its row: as SQL and as a function, which give the same. */
import type { ErrorRow } from '../../base/tables/errors.ts';
import { twinVersion } from '../../process/steps/twin.ts';

/**
 * That it is no mere view of a failure elsewhere, that its frames are legible, and what leads further than the stack
 * alone. Rows keep what they have, so it is the same for ever; below 32.
 */
export const richnessSql = `16 * (grouping_version != '${twinVersion}') + (trace_id != '') + 2 * (digest != '') + (release != '') + (user != '') + (transaction != '')
  + 4 * empty(missing_scripts) + (error_type != '') + least(2, intDiv(length(tags), 5))`;

type Rated = Pick<
  ErrorRow,
  | 'grouping_version'
  | 'trace_id'
  | 'digest'
  | 'release'
  | 'user'
  | 'transaction'
  | 'missing_scripts'
  | 'error_type'
  | 'tags'
>;

export const richnessOf = (row: Rated): number =>
  (row.grouping_version === twinVersion ? 0 : 16) +
  (row.trace_id === '' ? 0 : 1) +
  (row.digest === '' ? 0 : 2) +
  (row.release === '' ? 0 : 1) +
  (row.user === '' ? 0 : 1) +
  (row.transaction === '' ? 0 : 1) +
  (row.missing_scripts.length === 0 ? 4 : 0) +
  (row.error_type === '' ? 0 : 1) +
  Math.min(2, Math.trunc(Object.keys(row.tags).length / 5));
