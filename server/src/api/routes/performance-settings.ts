/** Thresholds of the detectors under the names of Sentry's clients. */
import { CodedError } from '../../errors.ts';
import { configurationOf, readConfiguration } from '../../performance/index.ts';
import { updateProject } from '../../projects/index.ts';
import * as contract from '../contract/performance-settings.ts';
import { type Api, implement } from '../implement.ts';

export function performanceSettingsRoutes(api: Api): void {
  const { state, keys } = api.deps;

  implement(api, contract.getPerformanceConfiguration, async ({ caller }) =>
    configurationOf(caller.project.settings.performance),
  );

  implement(api, contract.updatePerformanceConfiguration, async ({ caller, body }) => {
    const { patch, unknown } = readConfiguration(body);
    if (unknown.length) throw new CodedError('INPUT_INVALID', [`there is no setting ${unknown[0]}`]);
    const project = await updateProject(state, caller.project.id, { settings: { performance: patch } });
    keys?.invalidate();
    if (!project) throw new CodedError('NOT_FOUND', [`project ${caller.project.slug}`]);
    return configurationOf(project.settings.performance);
  });
}
