/** Errors whose stack and message say nothing about their cause, and what to group them by. Data; first match wins. */
import type { BuiltInRule } from '../built-in-rule.ts';
import { builtInRules as names } from '../../../../base/texts/grouping.ts';

const notLoaded = { id: 'chunk-load', name: names.chunkLoad };
const otherPage = { id: 'hydration', name: names.hydration };

/** What browsers and consoles put before a message. */
const before = '^(?:Uncaught )?(?:\\(in promise\\) )?(?:Warning: )?(?:(?:[A-Z][a-z]{1,20})?Error: )?';
const begins = (...wordings: readonly string[]): RegExp => new RegExp(`${before}(?:${wordings.join('|')})`, 'i');

export const builtInRules: readonly BuiltInRule[] = [
  {
    ...notLoaded,
    type: /^(?:ChunkLoadError|CSSChunkLoadError|CSS_CHUNK_LOAD_FAILED)$/,
    fingerprint: ['chunk-load'],
  },
  // webpack and Rspack, Turbopack, Chrome, Firefox, Safari, Vite, and a server that answers with a page instead.
  {
    ...notLoaded,
    value: begins(
      'ChunkLoadError\\b',
      'Loading (?:CSS |hot update )?chunk \\S{1,100} failed',
      'Failed to load chunk \\S',
      'Failed to fetch dynamically imported module\\b',
      'error loading dynamically imported module\\b',
      'Importing a module script failed\\b',
      'Unable to preload CSS for ',
      "'text/html' is not a valid JavaScript MIME type",
      '(?:Failed to load module script: )?Expected a JavaScript\\S{0,30} module script',
      'Loading module from \\S{1,300} was blocked because of a disallowed MIME type',
      'Couldn\'t resolve component "',
      'Outdated Optimize Dep',
    ),
    ofMessages: true,
    fingerprint: ['chunk-load'],
  },
  // React, Vue, Solid, Svelte, Angular.
  {
    ...otherPage,
    value: begins(
      'Hydration failed because ',
      'Hydration completed but contains mismatches',
      'Hydration Mismatch\\b',
      'hydration_mismatch',
      'hydration_failed',
      'NG0?500\\b',
      'Text content (?:does not|did not) match',
      'There was an error while hydrating',
      'A tree hydrated but some attributes ',
      'The server could not finish this Suspense boundary',
      'This Suspense boundary received an update before it finished hydrating',
      'Expected server HTML to contain',
      'Minified React error #(?:418|419|422|423|425)\\b',
    ),
    ofMessages: true,
    fingerprint: ['hydration', '{{ transaction }}'],
  },
  {
    id: 'resize-observer',
    name: names.resizeObserver,
    value: begins('ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)'),
    ofMessages: true,
    fingerprint: ['resize-observer-loop'],
  },
  {
    id: 'script-error',
    name: names.scriptError,
    value: /^(?:Uncaught )?Script error\.?$/i,
    withoutNames: true,
    ofMessages: true,
    fingerprint: ['script-error'],
  },
];
