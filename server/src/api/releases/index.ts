/** Releases, their commits and deploys, and suspect commits. */
import type { Resource } from '../shared/resource.ts';
import { commitRoutes } from './commits-routes.ts';
import * as contract from './contract.ts';
import { releaseRoutes } from './routes.ts';
import { suspectRoutes } from './suspects-routes.ts';

export const releases: Resource = { contracts: [contract], routes: [releaseRoutes, commitRoutes, suspectRoutes] };
