/** Who owns what. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { ownershipRoutes } from './routes.ts';

export const ownership: Resource = { contracts: [contract], routes: [ownershipRoutes] };
