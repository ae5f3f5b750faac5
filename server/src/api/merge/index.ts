/** Merging issues, taking them apart, and which are alike. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as similar from './similar-contract.ts';
import { mergeRoutes } from './routes.ts';
import { similarRoutes } from './similar-routes.ts';

export const merge: Resource = { contracts: [contract, similar], routes: [mergeRoutes, similarRoutes] };
