/** Webhooks of organisations, what was sent to them, and sending it again. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { webhookRoutes } from './routes.ts';

export const webhooks: Resource = { contracts: [contract], routes: [webhookRoutes] };
