/** What is looked for in traces, and its thresholds. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as settings from './settings-contract.ts';
import { detectorRoutes } from './routes.ts';
import { performanceSettingsRoutes } from './settings-routes.ts';

export const detectors: Resource = {
  contracts: [contract, settings],
  routes: [detectorRoutes, performanceSettingsRoutes],
};
