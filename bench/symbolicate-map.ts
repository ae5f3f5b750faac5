/** Source maps as bundlers write them: many modules, minified into few lines, with the text of every source. The same for the same seed and size. */

export interface MadeMap {
  readonly map: string;
  readonly script: string;
  /** Places where a frame may stand, as SDKs send them: line and column from 1, and the minified function. */
  readonly frames: readonly (readonly [line: number, column: number, functionName: string])[];
}

const words =
  'user cart order price total item list state error page query result value index name count render update fetch parse'.split(
    ' ',
  );
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const modulesPerLine = 400;
const keptFrames = 4000;

function vlq(value: number): string {
  let left = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const digit = left % 32;
    left = Math.floor(left / 32);
    text += alphabet[left > 0 ? digit + 32 : digit] ?? '';
  } while (left > 0);
  return text;
}

/** Numbers from 0 up to `below`, the same for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A map of about this many bytes. */
export function makeMap(megabytes: number, seed: number): MadeMap {
  const random = createRandom(seed);
  const target = megabytes * 1_000_000;
  const sources: string[] = [];
  const contents: string[] = [];
  const names: string[] = [];
  const nameIds = new Map<string, number>();
  const mappings: string[] = [];
  const script: string[] = [];
  const frames: [number, number, string][] = [];
  let bytes = 0;
  let line = 0;
  let column = 0;
  const last = { column: 0, source: 0, line: 0, original: 0, name: 0 };
  let isFirst = true;

  const word = (): string => words[random(words.length)] ?? '';
  const camel = (): string => {
    const second = word();
    return `${word()}${second.slice(0, 1).toUpperCase()}${second.slice(1)}${random(200)}`;
  };
  const emit = (text: string, sourceLine: number, sourceColumn: number, name?: string): void => {
    let segment = `${isFirst ? '' : ','}${vlq(column - last.column)}${vlq(sources.length - 1 - last.source)}${vlq(sourceLine - last.line)}${vlq(sourceColumn - last.original)}`;
    if (name !== undefined) {
      let id = nameIds.get(name);
      if (id === undefined) {
        id = names.length;
        names.push(name);
        nameIds.set(name, id);
        bytes += name.length + 3;
      }
      segment += vlq(id - last.name);
      last.name = id;
    }
    isFirst = false;
    Object.assign(last, { column, source: sources.length - 1, line: sourceLine, original: sourceColumn });
    mappings.push(segment);
    script.push(text);
    bytes += segment.length;
    column += text.length;
  };

  for (let module = 0; bytes < target; module++) {
    if (module > 0 && module % modulesPerLine === 0) {
      mappings.push(';');
      script.push('\n');
      Object.assign(last, { column: 0 });
      [line, column, isFirst] = [line + 1, 0, true];
    }
    sources.push(`../../src/${word()}/${camel()}-${module}.ts`);
    const content: string[] = [];
    for (let count = 2 + random(6); count > 0; count--) {
      const called = camel();
      const short = `${String.fromCharCode(97 + random(26))}${random(90)}`;
      const at = content.length;
      content.push(`/** What ${word()} and ${word()} have to do with the ${word()} of this ${word()}. */`);
      content.push(`export function ${called}(options: ${word()}Options): ${word()}Result {`);
      emit('function ', at + 1, 7);
      emit(`${short}(`, at + 1, 16, called);
      emit('e){', at + 1, 17 + called.length, 'options');
      for (let statement = 1 + random(6); statement > 0; statement--) {
        const [left, callee] = [camel(), camel()];
        const text = `  const ${left} = ${callee}(options.${word()}, '${word()} ${random(1000)}');`;
        const row = content.push(text) - 1;
        if (frames.length < keptFrames || random(50) === 0)
          frames[frames.length < keptFrames ? frames.length : random(keptFrames)] = [line + 1, column + 7, short];
        emit('let ', row, 2);
        emit('t=', row, 8, left);
        emit('n(', row, text.indexOf(callee), callee);
        emit('e.', row, text.indexOf('options'), 'options');
        emit('x,', row, text.indexOf('options') + 8);
        emit(`"${random(1000)}")`, row, text.indexOf("'"));
        emit(';', row, text.length - 1);
      }
      content.push('}', '');
      emit('}', content.length - 2, 0);
    }
    const joined = content.join('\n');
    contents.push(joined);
    bytes += joined.length + content.length + 40;
  }
  const file = { version: 3, file: 'index.js', sources, sourcesContent: contents, names };
  const head = JSON.stringify(file);
  return { map: `${head.slice(0, -1)},"mappings":"${mappings.join('')}"}`, script: script.join(''), frames };
}
