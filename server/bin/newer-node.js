/**
 * Where the machine's Node is too old: the one that a checkout has, else one that is fetched from npm's registry once and
 * kept for all versions of Culprit that ask for it. Without new syntax, as whoever comes here has an old Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

var root = fileURLToPath(new URL('../../', import.meta.url));

/** The version that tests ran on. */
function versionWanted() {
  var manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manifest.dependencies.node || manifest.config.node;
}

/** What is in the registry for each system: Node and nothing to be run at its installation. */
function packageOf(platform, arch) {
  return [platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node', platform, arch].join('-');
}

function fetchNode(name, version, dir) {
  console.error('culprit needs Node 24, and this is ' + process.version + '. Fetching Node ' + version + ' to ' + dir);
  mkdirSync(dirname(dir), { recursive: true, mode: 0o700 });
  var making = mkdtempSync(dir + '-making-');
  try {
    var words = ['install', '--prefix', making, '--no-save', '--no-package-lock', '--ignore-scripts'];
    // Standard output is the command's own.
    var done = spawnSync('npm', words.concat('--no-audit', '--no-fund', name + '@' + version), {
      stdio: ['ignore', 2, 2],
    });
    if (done.status === 0) {
      rmSync(dir, { recursive: true, force: true });
      renameSync(making, dir);
    }
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Undefined where there is none and none could be had. */
function findNode() {
  var beside = join(root, 'node_modules/node/bin/node');
  if (existsSync(beside)) return beside;
  var version = versionWanted();
  var name = packageOf(process.platform, process.arch);
  var dir = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit', 'node-' + version);
  var program = join(dir, 'node_modules', name, 'bin/node');
  try {
    if (!existsSync(program)) fetchNode(name, version, dir);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  return existsSync(program) ? program : undefined;
}

/** Goes on as that Node would: its output, its signals, its end. */
export function runOnNewerNode(script) {
  var program = findNode();
  if (!program) {
    console.error(
      'culprit needs Node 24 or newer; this is Node ' +
        process.versions.node +
        ', and npm could not fetch a newer one.\nInstall Node 24, then run the same command again.',
    );
    process.exit(1);
  }
  var child = spawn(program, process.execArgv.concat(script, process.argv.slice(2)), { stdio: 'inherit' });
  for (let signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, function () {
      child.kill(signal);
    });
  }
  child.on('error', function (error) {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', function (code, signal) {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
