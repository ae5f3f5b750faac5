/** Webhooks that hosts of code and of sites send here. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { incomingRoutes } from './routes.ts';

export const incoming: Resource = { contracts: [contract], routes: [incomingRoutes] };
