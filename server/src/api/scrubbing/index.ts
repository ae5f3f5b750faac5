/** Scrubbing rules of organisations and projects. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { scrubbingRoutes } from './routes.ts';

export const scrubbing: Resource = { contracts: [contract], routes: [scrubbingRoutes] };
