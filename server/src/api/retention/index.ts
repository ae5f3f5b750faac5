/** How long each class of data is kept. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { projectRetentionRoutes } from './project-routes.ts';
import { retentionRoutes } from './routes.ts';

export const retention: Resource = { contracts: [contract], routes: [retentionRoutes, projectRetentionRoutes] };
