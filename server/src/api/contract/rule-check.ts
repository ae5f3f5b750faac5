/** Whether rules can be read, while they are written. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { RuleProblem } from './grouping.ts';
import { projectParams } from './shared.ts';

const text = (what: string) => z.string().max(65_536).default('').describe(`${what}, one a line.`);

export const checkGroupingRules = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/grouping/check/',
  id: 'checkGroupingRules',
  tag: 'Grouping',
  summary: 'What is wrong in rules, at line and column',
  description: 'Nothing is saved.',
  access: 'project:read',
  params: projectParams,
  // Two texts of 64 kB, each of whose characters JSON may write as six bytes.
  bodyLimit: 1_000_000,
  body: z
    .object({ fingerprintingRules: text('Fingerprint rules'), groupingEnhancements: text('Stack-trace rules') })
    .meta({ id: 'GroupingRules' }),
  response: z
    .object({ problems: z.array(RuleProblem).describe('At most 100 of each text; empty when all can be read.') })
    .meta({ id: 'GroupingRulesChecked' }),
});
