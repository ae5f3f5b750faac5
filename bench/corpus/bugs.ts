/** Sixty different bugs of one shop, a third of them in its Node services, the others in its pages. Each has a stack of its own. */
import type { Random } from './random.ts';
import { capital, createSourceFile, functionName, nounName, type SourceFile } from './source.ts';

export interface BugFrame {
  readonly file: SourceFile;
  readonly function: string;
  readonly line: number;
  readonly column: number;
}

export interface Bug {
  readonly kind: 'node' | 'browser';
  readonly type: string;
  /** `#` stands for what differs from event to event. */
  readonly message: string;
  /** Outermost call first, about 40 over all. */
  readonly frames: readonly BugFrame[];
  /** Frames of the error that caused it; empty for most. */
  readonly causeFrames: readonly BugFrame[];
  readonly transaction: string;
  readonly handled: boolean;
}

const bugCount = 60;

export function createBugs(random: Random): readonly [Bug, ...Bug[]] {
  const services = files(random, 24, (name) => `/srv/shop/dist/services/${name}.js`, true, 300);
  const vendors = files(
    random,
    24,
    (name, n) => `/srv/shop/node_modules/${name}${n % 3 ? '' : '-core'}/lib/${name}.js`,
    false,
    500,
  );
  const internals = [
    'node:internal/process/task_queues',
    'node:internal/async_hooks',
    'node:async_hooks',
    'node:events',
  ].map((path): SourceFile => ({ path, inApp: false, lines: [] }));
  const chunks = files(random, 12, (name) => `https://shop.example.com/assets/${name}-${random.hex(8)}.js`, true, 0);
  // What stands outermost is the same for all bugs of a kind: the HTTP server, the router, the renderer.
  const serverBase = stack(random, [...vendors.slice(0, 6), ...internals], 22);
  const pageBase = stack(random, chunks.slice(0, 2), 24);

  const make = (index: number): Bug => {
    const kind = index % 10 === 2 || index % 5 === 4 ? 'node' : 'browser';
    const depth = random.integer(36, 44);
    const base = (kind === 'node' ? serverBase : pageBase).slice(0, random.integer(18, 22));
    const causeLength = index % 4 === 1 ? 8 : 0;
    const own = (length: number): BugFrame[] =>
      stack(random, kind === 'node' ? [...services, ...vendors.slice(9)] : chunks.slice(2), length);
    return {
      kind,
      ...saying(random, index),
      frames: [...base, ...own(depth - base.length - causeLength)],
      causeFrames: own(causeLength),
      transaction:
        kind === 'node'
          ? `${index % 2 ? 'POST' : 'GET'} /api/${nounName(random)}s/:id/${nounName(random)}`
          : `/${nounName(random)}s/[id]`,
      handled: index % 3 === 0,
    };
  };
  return [make(0), ...Array.from({ length: bugCount - 1 }, (_, index) => make(index + 1))];
}

function files(
  random: Random,
  count: number,
  path: (name: string, index: number) => string,
  inApp: boolean,
  lines: number,
): SourceFile[] {
  return Array.from({ length: count }, (_, index) =>
    createSourceFile(random, path(`${nounName(random)}-${functionName(random).toLowerCase()}`, index), inApp, lines),
  );
}

function stack(random: Random, sources: readonly SourceFile[], length: number): BugFrame[] {
  return Array.from({ length }, () => {
    const file = sources[random.integer(0, sources.length - 1)];
    if (!file) throw new Error('a stack needs files');
    const minified = file.path.startsWith('https:');
    return {
      file,
      function: minified
        ? random.hex(2).replace(/^\d/, 'k')
        : `${random.next() < 0.3 ? `${capital(nounName(random))}.` : ''}${functionName(random)}`,
      line: minified ? random.integer(1, 40) : random.integer(1, Math.max(1, file.lines.length)),
      column: minified ? random.integer(1, 90_000) : random.integer(3, 60),
    };
  });
}

/** No two bugs say the same: minified stacks group by what is said. */
function saying(random: Random, index: number): Pick<Bug, 'type' | 'message'> {
  const noun = nounName(random);
  const name = `${functionName(random)}${index}`;
  switch (index % 6) {
    case 0:
      return { type: 'TypeError', message: `Cannot read properties of undefined (reading '${name}')` };
    case 1:
      return { type: `${capital(noun)}Error`, message: `${noun} # could not be found by ${name}` };
    case 2:
      return {
        type: 'Error',
        message: `Request of ${name} failed with status code ${random.integer(400, 504)} for ${noun} #`,
      };
    case 3:
      return { type: 'RangeError', message: `${name} # is out of range` };
    case 4:
      return { type: 'TimeoutError', message: `${name} took longer than # ms` };
    default:
      return { type: 'ReferenceError', message: `${name} is not defined` };
  }
}
