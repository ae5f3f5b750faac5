/** For React 18 and later, in the browser and on a server. */
export { AppReady } from './app-ready.tsx';
export {
  LoadFailureBoundary,
  type LoadFailureBoundaryProps,
  type OnError,
  RouteBoundary,
  type RouteBoundaryProps,
} from './boundaries.tsx';
export {
  computeDigest,
  digestFor,
  digestFromResponse,
  digestOf,
  linkDigest,
  parseDigest,
  ServerFailure,
} from './digest.ts';
export { currentGuard, type Guard, type HeldError } from './guard/api.ts';
export { LoadFailure, type LoadFailureProps } from './load-failure.tsx';
export { isStaleChunk, reloadOnceForStaleChunk } from './stale-chunk.ts';
