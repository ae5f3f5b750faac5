/** Schemas that several resources use. */
import { z } from 'zod';
import { invalid } from '../../base/texts/validation.ts';
import { isWebAddress } from './web-address.ts';

export const dateTime = (description?: string) => {
  const schema = z.string().meta({ format: 'date-time' });
  return description ? schema.describe(description) : schema;
};

/** RFC 9457. Sentry's clients read `detail`. */
export const Problem = z
  .object({
    type: z.string().describe('URN of the code.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong and what to do, as text.'),
    code: z.string().describe('One of the codes in docs/errors.md.'),
    aliases: z.array(z.string()).readonly().optional().describe('Former names of the code, for two minor versions.'),
    digest: z.string().optional().describe("For 5xx: digest of the full error in the server's log."),
    problems: z
      .array(
        z.object({
          code: z.string(),
          message: z.string().describe('What is wrong, in English.'),
          reason: z.string().describe('What is wrong, by name: finer than `code`.'),
          values: z.record(z.string(), z.string()).describe('What `message` names, such as the field.'),
          at: z.string().optional().describe('The key or text with the problem.'),
          start: z.int().describe('Offset in the query, in UTF-16 units.'),
          end: z.int(),
          suggestions: z.array(z.string()).optional().describe('Possible replacements, best first.'),
          parameter: z
            .string()
            .optional()
            .describe('If it has several values: the one with the problem. Offsets count in it.'),
          text: z.string().optional().describe('That value.'),
        }),
      )
      .optional()
      .describe('For QUERY_INVALID: every problem of the search query or fields, with its position.'),
    ruleProblems: z
      .array(
        z.object({
          field: z
            .string()
            .describe('fingerprintingRules, groupingEnhancements, raw for ownership rules, or rules for scrubbing.'),
          line: z.int().describe('From 1.'),
          column: z.int().describe('From 1, in UTF-16 units.'),
          endColumn: z.int().describe('Exclusive end.'),
          message: z.string(),
        }),
      )
      .optional()
      .describe('For RULES_INVALID: every invalid line.'),
  })
  .meta({ id: 'Problem' });

/** Whatever takes an address that is shown as a link takes this: a link must not run a script. */
export const webAddress = z.string().trim().max(2_000).refine(isWebAddress, invalid.web);

/** The same, or '' for none. */
export const webAddressOrNone = z
  .string()
  .trim()
  .max(2_000)
  .refine((address) => address === '' || isWebAddress(address), invalid.web);

/** A query parameter that may be given several times. */
export const repeatable = (description: string) =>
  z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.string().max(200)).max(100),
    )
    .optional()
    .default([])
    .describe(description);

const rows = z.coerce.number().int().min(1).max(100);

export const pageQuery = {
  cursor: z
    .string()
    .max(200)
    .optional()
    .describe('From the Link header of the previous page; empty for the first page.'),
  limit: rows.default(25).describe('Rows per page.'),
};

/** The same under the name that Sentry's newer clients have for it; undefined where it is not said. */
export const perPage = rows.optional();

export const rangeQuery = {
  statsPeriod: z
    .string()
    .regex(/^(\d{1,5}[smhdw])?$/, invalid.period)
    .optional()
    .describe('Length of the range until now: 30m, 24h, 14d, 8w.'),
  start: z
    .string()
    .max(40)
    .optional()
    .describe('Start of the range, ISO 8601, UTC by default; instead of statsPeriod.'),
  end: z.string().max(40).optional().describe('End of the range, ISO 8601.'),
};

export const scopeQuery = {
  project: repeatable('IDs or slugs of projects; none or -1: all.'),
  environment: repeatable('Names of environments; none: all.'),
};

export const SeriesPoint = z
  .tuple([z.int().describe('Start of the bucket, seconds since the epoch.'), z.int()])
  .meta({ id: 'SeriesPoint' });

export const Series = z.array(SeriesPoint);

export const CountInterval = z
  .object({ low: z.int(), high: z.int() })
  .nullable()
  .describe('95 % interval if the number of events may be off by more than 1 %, else null.');

export const ValueInterval = z
  .object({ low: z.number(), high: z.number() })
  .nullable()
  .describe('95 % interval if the value may be off by more than 1 %, else null.');

export const orgParams = z.object({ org: z.string().max(200).describe('Slug or ID of the organisation.') });

export const teamParams = orgParams.extend({ team: z.string().max(64).describe('Slug or ID of the team.') });

export const projectParams = orgParams.extend({ project: z.string().max(200).describe('Slug or ID of the project.') });
