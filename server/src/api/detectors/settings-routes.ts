/** Thresholds of the detectors under the names of Sentry's clients. */
import { CodedError } from '../../base/errors.ts';
import { configurationOf, readConfiguration } from '../../domains/detectors/index.ts';
import { updateProject } from '../../domains/projects/index.ts';
import { things } from '../../base/texts/things.ts';
import { requests } from '../../base/texts/requests.ts';
import * as contract from './settings-contract.ts';
import { projectSettings, tellableProject } from '../shared/tellable.ts';
import { type Api, implement } from '../shared/implement.ts';

export function performanceSettingsRoutes(api: Api): void {
  const { live } = api.deps;

  implement(api, contract.getPerformanceConfiguration, async ({ caller }) =>
    configurationOf(caller.project.settings.performance),
  );

  implement(api, contract.updatePerformanceConfiguration, async ({ caller, body, recorded }) => {
    const { patch, unknown } = readConfiguration(body);
    if (unknown.length) throw new CodedError('INPUT_INVALID', [requests.unknownSetting(unknown[0])]);
    const project = await recorded(async (inside, note) => {
      const changed = await updateProject(inside, caller.project.id, { settings: { performance: patch } });
      if (!changed) throw new CodedError('NOT_FOUND', [things.project(caller.project.slug)]);
      note(tellableProject(changed), { before: projectSettings(caller.project), after: projectSettings(changed) });
      return changed;
    });
    live.publish({ type: 'settings' });
    return configurationOf(project.settings.performance);
  });
}
