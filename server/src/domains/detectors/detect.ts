/** Runs every detector over a segment. Pure. */
import { consecutiveDb } from './detectors/consecutive-db.ts';
import { consecutiveHttp } from './detectors/consecutive-http.ts';
import { httpOverhead } from './detectors/http-overhead.ts';
import { largePayload } from './detectors/large-payload.ts';
import { dbOnMainThread, fileIoOnMainThread } from './detectors/main-thread.ts';
import { mnPlusOneDb } from './detectors/mn-plus-one-db.ts';
import { nPlusOneApi } from './detectors/n-plus-one-api.ts';
import { nPlusOneDb } from './detectors/n-plus-one-db.ts';
import { queryInjection } from './detectors/query-injection.ts';
import { renderBlockingAsset } from './detectors/render-blocking-asset.ts';
import { slowDb } from './detectors/slow-db.ts';
import { uncompressedAsset } from './detectors/uncompressed-asset.ts';
import type { Detect, Problem } from './problem.ts';
import type { DetectorName } from '../../base/problems/types.ts';
import type { Segment } from './segment.ts';
import type { PerformanceSettings } from '../../base/problems/settings.ts';

const detectors: { readonly [Name in DetectorName]: Detect<Name> } = {
  nPlusOneDb,
  mnPlusOneDb,
  consecutiveDb,
  slowDb,
  nPlusOneApi,
  consecutiveHttp,
  largePayload,
  renderBlockingAsset,
  uncompressedAsset,
  httpOverhead,
  fileIoOnMainThread,
  dbOnMainThread,
  queryInjection,
};

/** Of one segment; a page with more has one problem: that it is broken. */
const maxProblems = 20;

/** One problem for each fingerprint: the first. */
export function detectProblems(segment: Segment, settings: PerformanceSettings): Problem[] {
  const found = new Map<string, Problem>();
  for (const name of Object.keys(detectors) as DetectorName[]) {
    for (const problem of detectWith(name, segment, settings)) {
      const key = [name, ...problem.fingerprint].join('\n');
      if (!found.has(key)) found.set(key, problem);
    }
  }
  return withoutRepeats([...found.values()]).slice(0, maxProblems);
}

/** What one detector finds, whatever the others do. */
export function detectWith<Name extends DetectorName>(
  name: Name,
  segment: Segment,
  settings: PerformanceSettings,
): readonly Problem[] {
  const detect: Detect<Name> = detectors[name];
  return settings[name].enabled ? detect(segment, settings[name]) : [];
}

/** The queries of an N+1 may be part of a longer pattern: one loop is one problem. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const repeated = new Set(
    problems
      .filter(({ detector }) => detector === 'nPlusOneDb')
      .flatMap(({ offenders }) => offenders.map(({ id }) => id)),
  );
  return problems.filter(({ detector, offenders }) => {
    return detector !== 'mnPlusOneDb' || !offenders.some(({ id }) => repeated.has(id));
  });
}
