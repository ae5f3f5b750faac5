/** Fields and their values, for completion. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { fieldRoutes } from './routes.ts';

export const fields: Resource = { contracts: [contract], routes: [fieldRoutes] };
