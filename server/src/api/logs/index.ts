/** Log entries. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { logRoutes } from './routes.ts';

export const logs: Resource = { contracts: [contract], routes: [logRoutes] };
