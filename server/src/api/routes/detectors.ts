/** What is looked for in traces. */
import { detectorNames, fieldsOf, problemTypes } from '../../performance/index.ts';
import { listDetectors } from '../contract/detectors.ts';
import { type Api, implement } from '../implement.ts';

export function detectorRoutes(api: Api): void {
  implement(api, listDetectors, async () =>
    detectorNames.map((name) => ({
      name,
      title: problemTypes[name].title,
      issueType: problemTypes[name].type,
      fields: fieldsOf(name).map(([key, { unit, help, fallback, least, most }]) => ({
        key,
        unit,
        help,
        default: fallback,
        least,
        most,
      })),
    })),
  );
}
