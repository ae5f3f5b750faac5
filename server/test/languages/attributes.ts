/** Attributes of spans and logs: what becomes of their names and values on the way to a row. */
import { canonicalName } from '../../src/process/steps/span/names.ts';
import type { Field, Rule } from './compare.ts';
import { object } from './json.ts';

/** A row has numbers and texts; what is neither is kept as text. */
export const asKept = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);

/** The columns that attributes become. */
const columns: Readonly<Record<string, string>> = {
  'sentry.op': 'op',
  'sentry.origin': 'origin',
  'sentry.segment.id': 'segment_id',
  'sentry.segment.name': 'transaction',
  'sentry.segment.name.source': 'transaction_source',
  'sentry.release': 'release',
  'sentry.environment': 'environment',
  'sentry.platform': 'platform',
  'sentry.sdk.name': 'sdk_name',
  'sentry.sdk.version': 'sdk_version',
  'service.name': 'service',
  parent_span_id: 'span_id',
};

const nameIn = ({ pattern }: Field): string => pattern.replace('attributes.', '');

export const attributeRules: readonly Rule[] = [
  {
    name: 'a column of its own',
    because: 'What every span and log has, or nearly every one, is told apart from the attributes.',
    holds: (field) =>
      field.pattern.startsWith('attributes.') && field.to[columns[nameIn(field)] ?? ''] === field.before,
  },
  {
    name: 'named as OpenTelemetry does',
    because: 'Old names of attributes are mapped onto those of the semantic conventions.',
    holds({ pattern, before, to }) {
      const [place, name] = [pattern.split('attributes.')[0] ?? '', pattern.split('attributes.')[1] ?? ''];
      const found = object(to.attributes)?.[canonicalName(name)];
      if (place !== '' || canonicalName(name) === name) return false;
      return String(found) === String(before) || isFiltered(found);
    },
  },
  {
    name: 'scrubbed',
    because: 'Secrets in addresses are removed before anything is stored.',
    holds: ({ after }) => isFiltered(after),
  },
  {
    name: 'without colours',
    because: 'Colours of a terminal are no part of what it says.',
    holds: ({ before, after }) => typeof before === 'string' && before.includes('\u001b[') && typeof after === 'string',
  },
  {
    name: 'bounded attributes',
    because: 'An attribute has 2,000 characters; an exception that an event tells of is an error with its whole stack.',
    holds: ({ before, after }) =>
      typeof before === 'string' &&
      before.length > 2_000 &&
      typeof after === 'string' &&
      before.startsWith(after.slice(0, -3)),
  },
  {
    name: 'trimmed',
    because: 'Spaces and empty lines at the ends of an attribute say nothing.',
    holds: ({ before, after }) =>
      typeof before === 'string' && typeof after === 'string' && before.trim() === after.trim(),
  },
  {
    name: 'moved with its clock',
    because:
      'A recording is as old as if its sender had a wrong clock, and without a time of sending all is moved to now once it is a month old.',
    holds: ({ path, before, after }) =>
      /^(?:timestamp|observed_at|started_at|at_us)$/.test(path.at(-1) ?? '') && Number(after) > Number(before),
  },
];

const isFiltered = (value: unknown): boolean => typeof value === 'string' && value.includes('[Filtered]');
