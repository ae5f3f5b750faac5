/** Thresholds of the detectors under the names of Sentry's clients. */
import { CodedError } from '../../base/errors.ts';
import { configurationOf, readConfiguration } from '../../domains/detectors/index.ts';
import { updateProject } from '../../domains/projects/index.ts';
import * as contract from './settings-contract.ts';
import { type Api, implement } from '../shared/implement.ts';

export function performanceSettingsRoutes(api: Api): void {
  const { state, keys } = api.deps;

  implement(api, contract.getPerformanceConfiguration, async ({ caller }) =>
    configurationOf(caller.project.settings.performance),
  );

  implement(api, contract.updatePerformanceConfiguration, async ({ caller, body }) => {
    const { patch, unknown } = readConfiguration(body);
    if (unknown.length) throw new CodedError('INPUT_INVALID', [`unknown setting ${unknown[0]}`]);
    const project = await updateProject(state, caller.project.id, { settings: { performance: patch } });
    keys?.invalidate();
    if (!project) throw new CodedError('NOT_FOUND', [`project ${caller.project.slug}`]);
    return configurationOf(project.settings.performance);
  });
}
