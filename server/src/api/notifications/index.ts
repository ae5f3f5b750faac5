/** What people want to be notified of. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { notificationRoutes } from './routes.ts';

export const notifications: Resource = { contracts: [contract], routes: [notificationRoutes] };
