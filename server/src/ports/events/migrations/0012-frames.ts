import type { Migration } from './migration.ts';

type Extracted = 'String' | 'UInt32' | 'Nullable(Bool)';

const exceptions = (shape: string): string =>
  `JSONExtract(payload, 'exception', 'values', 'Array(Tuple(${shape}))') AS Array(Tuple(${shape}))`;

/** Distinct values of a field over all frames of all exceptions. */
function ofFrames(field: string, type: Extracted): string {
  const all = `arrayFlatten(arrayMap(one -> arrayMap(frame -> tupleElement(frame, '${field}'),
      tupleElement(tupleElement(one, 'stacktrace'), 'frames')),
      CAST(${exceptions(`stacktrace Tuple(frames Array(Tuple(${field} ${type})))`)})))`;
  return `arrayDistinct(${present(all, type)})`;
}

const ofExceptions = (field: string): string =>
  `arrayDistinct(arrayFilter(value -> value != '', arrayMap(one -> tupleElement(one, '${field}'),
      CAST(${exceptions(`${field} String`)}))))`;

const ofMechanisms = `arrayDistinct(arrayFilter(value -> value != '', arrayMap(one -> tupleElement(tupleElement(one, 'mechanism'), 'type'),
      CAST(${exceptions('mechanism Tuple(type String)')}))))`;

function present(values: string, type: Extracted): string {
  if (type === 'Nullable(Bool)') {
    return `arrayMap(value -> toUInt8(assumeNotNull(value)), arrayFilter(value -> isNotNull(value), ${values}))`;
  }
  return `arrayFilter(value -> value != ${type === 'String' ? "''" : '0'}, ${values})`;
}

const texts = 'Array(LowCardinality(String))';

/** The pipeline sends all of them; the expressions answer for events that were stored before, from their payload. */
const columns: readonly (readonly [name: string, type: string, expression: string])[] = [
  ['stack_filenames', texts, ofFrames('filename', 'String')],
  ['stack_abs_paths', texts, ofFrames('abs_path', 'String')],
  ['stack_functions', texts, ofFrames('function', 'String')],
  ['stack_modules', texts, ofFrames('module', 'String')],
  ['stack_packages', texts, ofFrames('package', 'String')],
  ['stack_lines', 'Array(UInt32)', ofFrames('lineno', 'UInt32')],
  ['stack_columns', 'Array(UInt32)', ofFrames('colno', 'UInt32')],
  ['stack_in_app', 'Array(UInt8)', ofFrames('in_app', 'Nullable(Bool)')],
  ['error_types', texts, ofExceptions('type')],
  ['error_values', texts, ofExceptions('value')],
  ['error_mechanisms', texts, ofMechanisms],
  ['error_main_thread', 'Nullable(UInt8)', 'NULL'],
];

/**
 * What the search looks for in stack traces and exception chains: distinct values as arrays, so that any element may
 * match. Events of an issue stand side by side and have nearly the same frames, which compresses to little.
 */
export const migration: Migration = {
  id: 12,
  name: 'frames',
  statements: ({ onCluster }) => [
    `ALTER TABLE errors${onCluster} ${columns
      .map(
        ([name, type, expression]) =>
          `ADD COLUMN IF NOT EXISTS ${name} ${type} DEFAULT CAST(${expression} AS ${type}) CODEC(ZSTD(1))`,
      )
      .join(',\n      ')}`,
  ],
};
