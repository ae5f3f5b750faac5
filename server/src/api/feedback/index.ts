/** User feedback, and files of events. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { feedbackRoutes } from './routes.ts';
import { attachmentRoutes } from './attachments-routes.ts';

export const feedback: Resource = { contracts: [contract], routes: [feedbackRoutes, attachmentRoutes] };
