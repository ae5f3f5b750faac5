/** The number of what the texts of an event are: events with the same ones share it, and it is looked up instead of them. */
import { hash } from 'node:crypto';
import { ofShared } from '../../../base/shared-lists.ts';
import type { WholeErrorRow } from '../../../base/tables/errors.ts';

type Texts = Pick<
  WholeErrorRow,
  | 'project_id'
  | 'title'
  | 'message'
  | 'culprit'
  | 'error_type'
  | 'error_value'
  | 'error_types'
  | 'error_values'
  | 'error_mechanisms'
  | 'stack_filenames'
  | 'stack_functions'
  | 'stack_modules'
  | 'stack_packages'
>;

const jsonOf = (list: readonly string[]): string => JSON.stringify(list);

/** A decimal text below 2^64. */
export function textsNumber(row: Texts): string {
  const all = [
    row.project_id,
    row.title,
    row.message,
    row.culprit,
    row.error_type,
    row.error_value,
    row.error_types,
    row.error_values,
    row.error_mechanisms,
  ];
  const lists = [row.stack_filenames, row.stack_functions, row.stack_modules, row.stack_packages];
  const json = `${JSON.stringify(all).slice(0, -1)},${lists.map((list) => ofShared(list, jsonOf)).join(',')}]`;
  return BigInt(`0x${hash('md5', json, 'hex').slice(0, 16)}`).toString();
}
