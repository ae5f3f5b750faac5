/** What is looked for in traces. */
import { detectorNames, fieldsOf, problemTypes } from '../../domains/detectors/index.ts';
import { listDetectors } from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';

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
