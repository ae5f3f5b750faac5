/** Issues: lists, one of them, changes of one or many. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as bulk from './bulk-contract.ts';
import * as parts from './parts-contract.ts';
import { issueRoutes } from './routes.ts';
import { issueChangeRoutes } from './change-routes.ts';

export const issues: Resource = { contracts: [contract, bulk, parts], routes: [issueRoutes, issueChangeRoutes] };
