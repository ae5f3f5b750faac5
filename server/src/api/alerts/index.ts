/** Rules on issues and metrics, and what they did. */
import type { Resource } from '../shared/resource.ts';
import * as clientChanges from './clients-changes-contract.ts';
import { clientChangeRoutes } from './clients-changes-routes.ts';
import * as clients from './clients-contract.ts';
import { clientRoutes } from './clients-routes.ts';
import * as contract from './contract.ts';
import { alertHistoryRoutes } from './history-routes.ts';
import { alertPreviewRoutes } from './preview-routes.ts';
import { alertRoutes } from './routes.ts';

export const alerts: Resource = {
  contracts: [contract, clients, clientChanges],
  routes: [alertRoutes, clientRoutes, clientChangeRoutes, alertHistoryRoutes, alertPreviewRoutes],
};
