/** Sessions of releases, and one release beside another. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { sessionRoutes } from './routes.ts';
import { releaseComparisonRoutes } from './comparison-routes.ts';

export const sessions: Resource = { contracts: [contract], routes: [sessionRoutes, releaseComparisonRoutes] };
