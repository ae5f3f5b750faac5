/** What is looked for in traces. */
import { detectorNames, fieldsOf, labelOf, problemTypes } from '../../domains/detectors/index.ts';
import { listDetectors } from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';

export function detectorRoutes(api: Api): void {
  implement(api, listDetectors, async () =>
    detectorNames.map((name) => ({
      name,
      title: problemTypes[name].title,
      issueType: problemTypes[name].type,
      fields: fieldsOf(name).map(([key, { unit, fallback, least, most }]) => ({
        key,
        unit,
        help: labelOf(name, key),
        default: fallback,
        least,
        most,
      })),
    })),
  );
}
