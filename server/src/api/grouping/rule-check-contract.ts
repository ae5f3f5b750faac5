/** What somebody who writes rules asks: whether they can be read, and by which versions of the algorithm events can be grouped. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { RuleProblem } from './contract.ts';
import { orgParams, projectParams } from '../shared/schemas.ts';

const text = (what: string) => z.string().max(65_536).default('').describe(`${what}, one a line.`);

export const checkGroupingRules = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/grouping/check/',
  id: 'checkGroupingRules',
  tag: 'Grouping',
  summary: 'Check rules and list errors by line and column',
  description: 'Nothing is saved.',
  access: 'project:read',
  params: projectParams,
  body: z
    .object({ fingerprintingRules: text('Fingerprint rules'), groupingEnhancements: text('Stack-trace rules') })
    .meta({ id: 'GroupingRules' }),
  response: z
    .object({ problems: z.array(RuleProblem).describe('At most 100 per text; empty if all rules are valid.') })
    .meta({ id: 'GroupingRulesChecked' }),
});

const GroupingVersion = z
  .object({
    id: z.string(),
    base: z.string().nullable().describe('The previous version.'),
    latest: z.boolean().describe('True for the default of new projects.'),
  })
  .meta({ id: 'GroupingVersion' });

export const listGroupingVersions = endpoint({
  method: 'GET',
  url: '/organizations/:org/grouping-configs/',
  id: 'listGroupingVersions',
  tag: 'Grouping',
  summary: 'List versions of the grouping algorithm',
  description: 'Oldest first.',
  access: 'project:read',
  params: orgParams,
  response: z.array(GroupingVersion),
});
