/** What became of everything that was sent, and the stream of what just changed. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { intakeRoutes } from './routes.ts';

export const intake: Resource = { contracts: [contract], routes: [intakeRoutes] };
