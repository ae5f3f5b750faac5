/** Teams, members, invitations. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { joiningRoutes } from './joining-routes.ts';
import * as members from './members-contract.ts';
import { teamRoutes } from './routes.ts';
import { memberRoutes } from './members-routes.ts';

export const teams: Resource = { contracts: [contract, members], routes: [teamRoutes, memberRoutes, joiningRoutes] };
