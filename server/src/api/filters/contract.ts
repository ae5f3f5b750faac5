/** Inbound filters of projects, what they dropped, and what they would drop. Paths and names as Sentry has them. */
import { z } from 'zod';
import { filterIds, filterLimits, patternFilterIds } from '../../process/steps/filters/index.ts';
import { invalid } from '../../base/texts/validation.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, projectParams } from '../shared/schemas.ts';

const tag = 'Filters';

const id = z.enum(filterIds).describe('Also the reason of the outcome of what it drops.');
const active = z.boolean().describe('Whether it drops data.');
const patterns = z
  .array(z.string().max(filterLimits.characters, invalid.atMost(filterLimits.characters)))
  .max(filterLimits.patterns, invalid.fewer(filterLimits.patterns, 'entries'));
const days = (most: number) => z.coerce.number().int().min(1).max(most).default(7);

const Filter = z
  .object({
    id,
    active,
    patterns: patterns
      .nullable()
      .describe('Globs that ignore case, or IP addresses and networks; null for filters without patterns.'),
    dropped: z
      .array(z.object({ category: z.string().describe('error, transaction, span, …'), quantity: z.int() }))
      .describe('What it dropped in the last days, by category.'),
  })
  .meta({ id: 'ProjectFilter' });

export const listFilters = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/filters/',
  id: 'listFilters',
  tag,
  summary: 'List inbound filters and what they dropped',
  access: 'project:read',
  params: projectParams,
  query: z.object({ days: days(90).describe('How far back dropped items are counted; default: 7.') }),
  response: z.array(Filter),
});

export const updateFilter = endpoint({
  method: 'PUT',
  url: '/projects/:org/:project/filters/:filter/',
  id: 'updateFilter',
  tag,
  summary: 'Turn an inbound filter on or off, or set its patterns; omitted fields stay',
  description: 'Applies to new data. What a filter dropped is not stored.',
  access: 'project:write',
  params: projectParams.extend({ filter: id }),
  body: z.object({ active: active.optional(), patterns: patterns.optional() }).meta({ id: 'ProjectFilterUpdate' }),
  response: Filter.omit({ dropped: true }).meta({ id: 'ProjectFilterState' }),
});

const FilterPreview = z
  .object({
    days: z.int(),
    examined: z.object({
      errors: z.int().describe('Newest stored errors that were examined.'),
      transactions: z.int().describe('Stored transactions whose names were examined.'),
      logs: z.int().describe('Stored log records whose release and environment were examined.'),
    }),
    filters: z.array(
      z.object({
        id,
        errors: z.int().describe('Examined errors that it would drop.'),
        transactions: z.int().describe('Examined transactions that it would drop.'),
        logs: z.int().describe('Examined log records that it would drop.'),
        examples: z
          .array(
            z.object({
              title: z.string(),
              eventID: z.string().optional().describe('Of an error.'),
              dateCreated: dateTime().optional().describe('Of an error.'),
              count: z.int().optional().describe('Of a transaction: how many have the name.'),
            }),
          )
          .describe('At most three errors and three transactions.'),
      }),
    ),
  })
  .meta({ id: 'FilterPreview' });

export const previewFilters = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/filters/preview/',
  id: 'previewFilters',
  tag,
  summary: 'Show what each filter would drop of stored data, whether it is on or off; nothing changes',
  description:
    'Each filter is tried on its own. IP addresses are examined in errors, and only if the project stores them.',
  access: 'project:write',
  params: projectParams,
  body: z
    .object({
      patterns: z
        .partialRecord(z.enum(patternFilterIds), patterns)
        .default({})
        .describe('Patterns to try instead of the saved ones, by filter.'),
      days: z.int().min(1).max(30).default(7),
      limit: z.int().min(1).max(500).default(200).describe('Errors.'),
    })
    .meta({ id: 'FilterPreviewRequest' }),
  response: FilterPreview,
});
