/** Issues as documents for whoever repairs them. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { briefRoutes } from './routes.ts';

export const brief: Resource = { contracts: [contract], routes: [briefRoutes] };
