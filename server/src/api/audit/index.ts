import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { auditRoutes } from './routes.ts';

export const audit: Resource = { contracts: [contract], routes: [auditRoutes] };
