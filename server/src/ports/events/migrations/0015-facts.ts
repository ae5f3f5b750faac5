import type { Migration } from './migration.ts';

const ids = 'Array(String)';
const parts = `Tuple(type String, contexts String, user Tuple(geo Tuple(city String, country_code String, region String)),
        request Tuple(method String, headers String),
        occurrence Tuple(evidenceData Tuple(offenderSpanIds ${ids}, causeSpanIds ${ids})))`;

const part = (...path: readonly string[]): string =>
  path.reduce((whole, name) => `tupleElement(${whole}, '${name}')`, 'parts');

/** A part of any form, as its JSON text: one of another form, or none, would spoil the rest. */
const within = (text: string, [open = '', close = '']: string): string =>
  `if(startsWith(${text}, '${open}'), ${text}, '${open}${close}')`;

/**
 * One reading of the payload, about as fast as one of its parts is found in it. Not the whole of it, since merges write
 * what a default gives: it would lie there twice.
 */
const facts = `arrayElement(arrayMap(parts -> concat(
        '{"type":', toJSONString(${part('type')}),
        ',"contexts":', ${within(part('contexts'), '{}')},
        ',"user":', toJSONString(${part('user')}),
        ',"request":{"method":', toJSONString(${part('request', 'method')}),
        ',"headers":', ${within(part('request', 'headers'), '[]')},
        '},"occurrence":', toJSONString(${part('occurrence')}), '}'),
        [CAST(JSONExtract(payload, '${parts}') AS ${parts})]), 1)`;

/**
 * What is looked for in an event beyond its other columns, under the same paths as in the payload, of which it is a
 * twentieth. The pipeline sends it; the expression answers for events that were stored before.
 */
export const migration: Migration = {
  id: 15,
  name: 'facts',
  statements: ({ onCluster }) => [
    `ALTER TABLE errors${onCluster} ADD COLUMN IF NOT EXISTS facts String DEFAULT ${facts} CODEC(ZSTD(1))`,
  ],
};
