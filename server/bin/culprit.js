#!/usr/bin/env node
// Without new syntax, so that an old Node reaches the last line instead of a syntax error.
import { accessSync, constants, existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

/**
 * Starts Node again in this very process with a bound for what requests leave behind: without it the main thread lets 128
 * MB of garbage gather under load, which makes it no faster, and a running Node takes no such bound. The process keeps its
 * id, its parent and its standard streams. Where that is not possible, or somebody has decided otherwise, it goes on as it is.
 */
function boundYoungGeneration() {
  var said = process.execArgv.concat(process.env.NODE_OPTIONS || '').join(' ');
  // A debugger would be waited for twice; a channel to the parent would be lost.
  if (/semi[-_]space|--inspect-(brk|wait)/.test(said) || process.channel || !process.execve) return;
  try {
    // Node ends itself where the system refuses.
    accessSync(process.execPath, constants.X_OK);
    var args = ['--max-semi-space-size=8'].concat(process.execArgv, process.argv.slice(1));
    process.execve(process.execPath, [process.argv0].concat(args), process.env);
  } catch {
    // It takes more memory, and works as well.
  }
}

function start() {
  if (process.argv[2] === 'serve') boundYoungGeneration();

  // What lives long is what is known of projects and stacks; little is added to it. V8 would look through all of it after
  // every few megabytes, which are a thousand events. Before anything is compiled: code is kept on disk for these flags.
  v8.setFlagsFromString('--heap-growing-percent=200');

  // A checkout that was not built.
  if (!existsSync(new URL('../dist/.sources', import.meta.url))) return import('../src/cli/main.ts');
  // What was compiled is kept beside the code, where only who may change the code can write; threads and the engine's
  // process look there, too.
  var cache = fileURLToPath(new URL('../dist/.cache', import.meta.url));
  if (!process.env.NODE_COMPILE_CACHE && module.enableCompileCache(cache).directory)
    process.env.NODE_COMPILE_CACHE = cache;
  return import('../dist/cli-main.js');
}

if (Number(process.versions.node.split('.')[0]) >= 24) start();
else import('./newer-node.js').then(({ runOnNewerNode }) => runOnNewerNode(fileURLToPath(import.meta.url)));
