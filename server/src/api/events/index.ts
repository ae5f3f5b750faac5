/** Events, as they are shown. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { eventRoutes } from './routes.ts';

export const events: Resource = { contracts: [contract], routes: [eventRoutes] };
