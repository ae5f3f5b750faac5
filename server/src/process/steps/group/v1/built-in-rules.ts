/** Errors whose stack and message say nothing about their cause, and what to group them by. Data; first match wins. */
import type { BuiltInRule } from '../built-in-rule.ts';
import { builtInRules as names } from '../../../../base/texts/grouping.ts';

export const builtInRules: readonly BuiltInRule[] = [
  {
    id: 'chunk-load',
    name: names.chunkLoad,
    type: /^(?:ChunkLoadError|CSSChunkLoadError|CSS_CHUNK_LOAD_FAILED)$/,
    fingerprint: ['chunk-load'],
  },
  {
    id: 'chunk-load',
    name: names.chunkLoad,
    value:
      /^(?:Uncaught )?(?:ChunkLoadError\b|Loading (?:CSS )?chunk \S{1,100} failed|Failed to load chunk \S|Failed to fetch dynamically imported module\b|error loading dynamically imported module\b|Importing a module script failed\b|Unable to preload CSS for |'text\/html' is not a valid JavaScript MIME type)/i,
    fingerprint: ['chunk-load'],
  },
  {
    id: 'hydration',
    name: names.hydration,
    value:
      /^(?:Hydration failed because |Text content (?:does not|did not) match|There was an error while hydrating|The server could not finish this Suspense boundary|This Suspense boundary received an update before it finished hydrating|Expected server HTML to contain|Minified React error #(?:418|419|422|423|425)\b)/,
    fingerprint: ['hydration', '{{ transaction }}'],
  },
  {
    id: 'resize-observer',
    name: names.resizeObserver,
    value: /^(?:Uncaught )?ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)/,
    fingerprint: ['resize-observer-loop'],
  },
  {
    id: 'script-error',
    name: names.scriptError,
    value: /^Script error\.?$/,
    withoutFrames: true,
    fingerprint: ['script-error'],
  },
];
