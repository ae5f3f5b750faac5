export { adoptedShare, adoptionOf, type AdoptionStage, type ReleaseAdoption } from './adoption.ts';
export { crashFree, kinds, noParts, type Parts, type SessionKind, shareOf } from './counts.ts';
export { type DurationField, durationFields, measureDurations } from './durations.ts';
export {
  measureSessions,
  type SessionKey,
  type SessionNumbers,
  type SessionQuestion,
  type SessionScope,
} from './measure.ts';
export { healthOfReleases, type ReleaseHealth } from './releases.ts';
export { type SessionCounts, sessionCounts } from './session-counts.ts';
