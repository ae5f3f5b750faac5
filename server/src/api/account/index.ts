/** The caller's own account, and the way back into it. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as factors from './factors-contract.ts';
import { factorRoutes } from './factors-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import * as policy from './policy-contract.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { accountRoutes } from './routes.ts';

export const account: Resource = {
  contracts: [contract, factors, policy],
  routes: [accountRoutes, factorRoutes, passkeyRoutes, recoveryRoutes],
};
