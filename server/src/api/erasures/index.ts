/** Erasing people and events, and projects on hold. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { holdRoutes } from './hold-routes.ts';
import { erasureRoutes } from './routes.ts';

export const erasures: Resource = { contracts: [contract], routes: [erasureRoutes, holdRoutes] };
