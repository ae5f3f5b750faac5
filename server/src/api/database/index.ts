/** Queries to databases. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { databaseRoutes } from './routes.ts';

export const database: Resource = { contracts: [contract], routes: [databaseRoutes] };
