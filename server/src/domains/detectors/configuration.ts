/** The settings under the names by which Sentry's clients know them. */
import type { DetectorName } from '../../base/problems/types.ts';
import {
  detectorNames,
  detectorTable,
  fieldsOf,
  type PerformancePatch,
  type PerformanceSettings,
} from '../../base/problems/settings.ts';

/** Switches of all detectors, and the thresholds that Sentry has, too. */
export function configurationOf(settings: PerformanceSettings): Record<string, number | boolean> {
  return Object.fromEntries(
    detectorNames.flatMap((name) => {
      const values: Readonly<Record<string, number | boolean>> = settings[name];
      const switched: [string, number | boolean] = [detectorTable[name].sentry, settings[name].enabled];
      const fields = fieldsOf(name).flatMap(([key, { sentry }]): [string, number | boolean][] => {
        const value = values[key];
        return sentry === undefined || value === undefined ? [] : [[sentry, value]];
      });
      return [switched, ...fields];
    }),
  );
}

const places: ReadonlyMap<string, readonly [name: DetectorName, key: string]> = new Map(
  detectorNames.flatMap((name) => [
    [detectorTable[name].sentry, [name, 'enabled']] as const,
    ...fieldsOf(name).flatMap(([key, { sentry }]) => (sentry === undefined ? [] : [[sentry, [name, key]] as const])),
  ]),
);

/** As a change of the settings, to be checked as one; `unknown` are names that mean nothing here. */
export function readConfiguration(configuration: Readonly<Record<string, unknown>>): {
  readonly patch: PerformancePatch;
  readonly unknown: readonly string[];
} {
  const patch = new Map<DetectorName, Record<string, unknown>>();
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(configuration)) {
    const place = places.get(name);
    if (place) patch.set(place[0], { ...patch.get(place[0]), [place[1]]: value });
    else unknown.push(name);
  }
  return { patch: Object.fromEntries(patch) as PerformancePatch, unknown };
}
