/** Organisations and their API tokens. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { organizationRoutes } from './routes.ts';

export const organizations: Resource = { contracts: [contract], routes: [organizationRoutes] };
