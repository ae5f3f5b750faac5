#!/usr/bin/env node
// Plain JavaScript without new syntax, so that an old Node reaches the message instead of a syntax error.
var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    'culprit needs Node 24 or newer; this is Node ' +
      process.versions.node +
      '.\n' +
      'Inside a checkout, "npm start" and "npx culprit" use the Node 24 that "npm ci" installed with it.',
  );
  process.exit(1);
} else {
  import('../src/cli/main.ts');
}
