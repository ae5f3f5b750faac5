/** Inbound filters of projects. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { filterRoutes } from './routes.ts';

export const filters: Resource = { contracts: [contract], routes: [filterRoutes] };
