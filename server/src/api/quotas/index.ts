/** Quotas of organisations, projects and keys. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { quotaRoutes } from './routes.ts';

export const quotas: Resource = { contracts: [contract], routes: [quotaRoutes] };
