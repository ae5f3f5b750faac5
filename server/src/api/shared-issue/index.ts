/** An issue under its secret link. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { sharedIssueRoutes } from './routes.ts';

export const sharedIssue: Resource = { contracts: [contract], routes: [sharedIssueRoutes] };
