/** Any question to spans, errors and logs; charts that are kept, and exports. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as exports from './export-contract.ts';
import * as saved from './saved-contract.ts';
import { exploreRoutes } from './routes.ts';
import { exportRoutes } from './export-routes.ts';
import { savedQuestionRoutes } from './saved-routes.ts';

export const explore: Resource = {
  contracts: [contract, exports, saved],
  routes: [exploreRoutes, exportRoutes, savedQuestionRoutes],
};
