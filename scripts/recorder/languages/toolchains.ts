/** How the programs of each language are made ready to run: outside the working copy, kept from one run to the next. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const languages = ['python', 'go', 'java', 'rust', 'ruby'] as const;
export type Language = (typeof languages)[number];

/** A program that runs a scenario, which is its last argument. */
export interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The directory that a fixture calls `/app`. */
  readonly directory: string;
  /** Places whose names tell of this machine, and what a fixture calls them. */
  readonly places: readonly (readonly [from: string, to: string])[];
}

interface Tool {
  readonly program: string;
  readonly install: string;
}

const tools: Readonly<Record<Language, readonly Tool[]>> = {
  python: [{ program: 'python3', install: 'apt-get install python3-venv' }],
  go: [{ program: 'go', install: 'Go 1.26 or later' }],
  java: [
    { program: 'javac', install: 'apt-get install openjdk-17-jdk-headless' },
    { program: 'mvn', install: 'apt-get install maven' },
  ],
  rust: [{ program: 'cargo', install: 'Rust 1.95 or later with cargo' }],
  ruby: [
    { program: 'ruby', install: 'apt-get install ruby ruby-sentry-ruby ruby-rack ruby-sentry-rails ruby-sqlite3' },
  ],
};

/** What to install before the programs of that language run; empty where nothing is missing. */
export function missingTools(language: Language): string[] {
  return tools[language].flatMap(({ program, install }) => (pathOf(program) ? [] : [`${program} (${install})`]));
}

const sources = import.meta.dirname;
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'culprit-tests', 'programs');

function pathOf(program: string): string | undefined {
  const found = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, program));
  return found.find((path) => existsSync(path));
}

/** What a compiler or package client needs to find its caches and its registry. */
const passed = /^(?:PATH|HOME|LANG|XDG_.*|GO.*|CARGO_.*|RUSTUP_.*|MAVEN_.*|JAVA_.*|PIP_.*|.*_PROXY|SSL_CERT_.*)$/i;

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name)));
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...own, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? ''}${stderr || stdout}`);
}

/** A copy of sources, so that nothing that is built lies in the working copy. */
function copyOf(folder: string, as: string): string {
  const directory = join(cache, as);
  mkdirSync(directory, { recursive: true });
  cpSync(join(sources, folder), directory, { recursive: true });
  return directory;
}

/** Written last: what is half there is not there. */
const readyOf = (kept: string): string => `${kept}.ready`;

const isMade = (kept: string, text: string): boolean =>
  existsSync(kept) && existsSync(readyOf(kept)) && readFileSync(readyOf(kept), 'utf8') === text;

/** Runs `make` where `kept` was not made from the same text. */
function once(kept: string, text: string, make: () => void): void {
  if (isMade(kept, text)) return;
  const ready = readyOf(kept);
  rmSync(ready, { force: true });
  rmSync(kept, { recursive: true, force: true });
  make();
  writeFileSync(ready, text);
}

/** Debian's own, where there is one. */
const python = '/usr/bin/python3';

const venvOf = (as: string): string => join(cache, `${as}-venv`);

/** Whether the packages that `requirements` names are there. */
export const hasPackages = (requirements: string, as: string): boolean =>
  isMade(venvOf(as), readFileSync(join(sources, requirements), 'utf8'));

/** `requirements` lies below languages/. */
export function makePython(folder: string, file: string, requirements: string, as: string): Program {
  const directory = copyOf(folder, as);
  // The shop is one for all programs in Python.
  cpSync(join(sources, 'python/shop'), join(directory, 'shop'), { recursive: true });
  const venv = venvOf(as);
  const wanted = join(sources, requirements);
  once(venv, readFileSync(wanted, 'utf8'), () => {
    run(existsSync(python) ? python : 'python3', ['-m', 'venv', venv], cache);
    run(join(venv, 'bin/python'), ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '-r', wanted], cache);
  });
  return {
    command: [join(venv, 'bin/python'), join(directory, file)],
    // Markers below a line need columns, which no SDK sends.
    env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONNODEBUGRANGES: '1', LANG: 'C.UTF-8' },
    directory,
    places: [[venv, '/app/.venv']],
  };
}

export function makeGo(folder: string, as: string, flags: readonly string[] = []): Program {
  const directory = copyOf(folder, as);
  const program = join(directory, 'bin', 'shop');
  run('go', ['build', ...flags, '-o', program, '.'], directory);
  return {
    command: [program],
    env: {},
    directory,
    places: [[run('go', ['env', 'GOROOT'], directory).trim(), '/usr/local/go']],
  };
}

export function makeRust(folder: string, as: string, profile: string): Program {
  const directory = copyOf(folder, as);
  // One place for what the profiles share, kept between runs.
  run('cargo', ['build', '--quiet', '--profile', profile], directory);
  const built = profile === 'dev' ? 'debug' : profile;
  return {
    command: [join(directory, 'target', built, 'shop')],
    // A panic says its stack, an error of anyhow has none.
    env: { RUST_BACKTRACE: '1', RUST_LIB_BACKTRACE: '0' },
    directory,
    places: [],
  };
}

/** `agent` names a library that instruments the others, with what it is told. */
export function makeJava(
  folder: string,
  as: string,
  env: Readonly<Record<string, string>> = {},
  agent?: { readonly library: string; readonly options: readonly string[] },
): Program {
  const directory = copyOf(folder, as);
  const [libraries, classes] = [join(directory, 'lib'), join(directory, 'classes')];
  once(libraries, readFileSync(join(directory, 'pom.xml'), 'utf8'), () => {
    run('mvn', ['-q', '-B', `-DoutputDirectory=${libraries}`, 'dependency:copy-dependencies'], directory);
  });
  const classPath = `${libraries}/*`;
  const code = join(directory, 'src/main/java/com/example/shop');
  run(
    'javac',
    ['-nowarn', '-parameters', '--release', '17', '-cp', classPath, '-d', classes, ...javaFiles(code)],
    code,
  );
  const resources = join(directory, 'src/main/resources');
  const places = [classes, ...(existsSync(resources) ? [resources] : []), classPath];
  return {
    command: [
      'java',
      '-XX:TieredStopAtLevel=1',
      ...(agent ? [`-javaagent:${join(libraries, agent.library)}`, ...agent.options] : []),
      '-cp',
      places.join(':'),
      'com.example.shop.App',
    ],
    env,
    directory,
    places: [],
  };
}

function javaFiles(folder: string): string[] {
  return globSync('*.java', { cwd: folder }).map((name) => join(folder, name));
}

export function makeRuby(folder: string, as: string): Program {
  const directory = copyOf(folder, as);
  return { command: ['ruby', join(directory, 'program.rb')], env: { LANG: 'C.UTF-8' }, directory, places: [] };
}

/** As a fixture names it, `Go 1.26.8`. */
export function runtimeOf(language: Language): string {
  if (language === 'python')
    return `CPython ${run(existsSync(python) ? python : 'python3', ['-V'], '/')
      .trim()
      .slice(7)}`;
  if (language === 'go') return `Go ${run('go', ['env', 'GOVERSION'], '/').trim().replace(/^go/, '')}`;
  if (language === 'java')
    return `OpenJDK ${run('javac', ['-version'], '/')
      .trim()
      .replace(/^javac /, '')}`;
  if (language === 'rust') return `Rust ${run('rustc', ['--version'], '/').split(' ')[1] ?? ''}`;
  return `Ruby ${run('ruby', ['-e', 'print RUBY_VERSION'], '/')}`;
}
