/** The caller's own account, and the way back into it. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as policy from './policy-contract.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { accountRoutes } from './routes.ts';

export const account: Resource = { contracts: [contract, policy], routes: [accountRoutes, recoveryRoutes] };
