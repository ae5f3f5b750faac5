/** The page Now: is something wrong, and what changed. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { nowRoutes } from './routes.ts';

export const now: Resource = { contracts: [contract], routes: [nowRoutes] };
