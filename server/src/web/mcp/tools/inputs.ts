/** What several tools take. */
import { z } from 'zod';
import { mcp } from '../../../base/texts/mcp.ts';

const { inputs } = mcp;

/** Becomes a word of a path, so nothing in it leads elsewhere. */
export const issue = z
  .string()
  .max(100)
  .regex(/^[\p{L}\p{N}_-]+$/u)
  .describe(inputs.issue);
export const event = z.string().regex(/^[\w-]{1,64}$/);
export const query = z.string().max(4_096).optional().describe(inputs.query);
export const scope = {
  project: z.string().max(200).optional().describe(inputs.project),
  environment: z.string().max(200).optional().describe(inputs.environment),
  period: z
    .string()
    .regex(/^\d{1,5}[smhdw]$/)
    .optional()
    .describe(inputs.period),
};
export const page = {
  limit: z.int().min(1).max(50).default(10).describe(inputs.limit),
  cursor: z.string().max(200).optional().describe(inputs.cursor),
};

/** As the API names them. */
export const scopeQuery = (given: {
  project?: string | undefined;
  environment?: string | undefined;
  period?: string | undefined;
}) => ({
  project: given.project,
  environment: given.environment,
  statsPeriod: given.period,
});

/** The path of an organisation's resource. */
export const pathOf = (organization: string, ...words: readonly string[]): string =>
  `/organizations/${[organization, ...words].map(encodeURIComponent).join('/')}/`;
