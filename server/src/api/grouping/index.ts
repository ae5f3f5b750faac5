/** Why events are one issue, and rules for it. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as ruleCheck from './rule-check-contract.ts';
import { groupingRoutes } from './routes.ts';
import { ruleCheckRoutes } from './rule-check-routes.ts';

export const grouping: Resource = { contracts: [contract, ruleCheck], routes: [groupingRoutes, ruleCheckRoutes] };
