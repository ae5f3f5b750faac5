export { listFields } from './keys.ts';
export { createRowCounts, type RowCounts } from './sample.ts';
export type { DataField, FieldScope, FieldValue, FieldValues } from './types.ts';
export { listValues } from './values.ts';
