#!/usr/bin/env node
// Without new syntax, so that an old Node reaches the message instead of a syntax error.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    'culprit needs Node 24 or newer; this is Node ' +
      process.versions.node +
      '.\n' +
      'Inside a checkout, "npm start" and "npx culprit" use the Node 24 that "npm ci" installed with it.',
  );
  process.exit(1);
} else if (existsSync(new URL('../dist/.sources', import.meta.url))) {
  // What was compiled is kept beside the code, where only who may change the code can write; threads and the engine's
  // process look there, too.
  var cache = fileURLToPath(new URL('../dist/.cache', import.meta.url));
  if (!process.env.NODE_COMPILE_CACHE && module.enableCompileCache(cache).directory)
    process.env.NODE_COMPILE_CACHE = cache;
  import('../dist/cli-main.js');
} else {
  // A checkout that was not built.
  import('../src/cli/main.ts');
}
