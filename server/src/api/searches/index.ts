/** Searches that people keep, and their last ones. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { searchRoutes } from './routes.ts';

export const searches: Resource = { contracts: [contract], routes: [searchRoutes] };
