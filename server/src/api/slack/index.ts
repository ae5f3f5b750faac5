/** The Slack app of an organisation. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { slackRoutes } from './routes.ts';

export const slack: Resource = { contracts: [contract], routes: [slackRoutes] };
