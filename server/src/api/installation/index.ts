/** The installation itself: set-up, health, the first request of the console. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { installationRoutes } from './routes.ts';

export const installation: Resource = { contracts: [contract], routes: [installationRoutes] };
