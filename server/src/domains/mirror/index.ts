export type { IsMeant, WaitingRequest } from './drop.ts';
export { createMirrors, maxAgeMs, type Mirrors } from './mirrors.ts';
export { findMirror, type Mirror, removeMirror, setMirror } from './store.ts';
export { readTarget, shownDsn, type Target } from './target.ts';
export { mirrorTroubles } from './troubles.ts';
