/** Uploads of source maps, and what came of them. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { debugFileRoutes } from './debug-file-routes.ts';
import { artifactRoutes, chunkRoutes } from './routes.ts';

export const artifacts: Resource = {
  contracts: [contract],
  routes: [
    artifactRoutes,
    debugFileRoutes,
    // Bodies of several parts are read in this scope only.
    ({ app, deps }) => app.register((scope) => chunkRoutes({ app: scope, deps })),
  ],
};
