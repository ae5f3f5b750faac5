/** Transactions and web vitals. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { performanceRoutes } from './routes.ts';
import { vitalsRoutes } from './vitals-routes.ts';

export const performance: Resource = { contracts: [contract], routes: [performanceRoutes, vitalsRoutes] };
