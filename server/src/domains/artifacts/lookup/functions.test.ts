/** Functions of generated code by its brackets, and the names that frames have for them. */
import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { describe, expect, test } from 'vitest';
import { bareName, hashName } from './functions.ts';
import { buildLookup, openLookup, type Lookup } from './index.ts';
import { scanScript } from './scan-script.ts';

/** The names of the functions around each `@`, innermost first; `-` for one without a name. The `@` is taken out first. */
function functionsAt(marked: string): string[] {
  const at = marked.indexOf('@');
  const text = marked.replaceAll('@', '');
  const found = scanScript(text);
  const around: { start: number; name: string }[] = [];
  for (let index = 0; index < found.starts.length; index++) {
    const start = found.starts.at(index);
    if (start > at || found.ends.at(index) <= at) continue;
    const name = found.sites.at(index) > 0 ? text.slice(found.nameStarts.at(index), found.nameEnds.at(index)) : '-';
    around.push({ start, name });
  }
  return around.toSorted((a, b) => b.start - a.start).map(({ name }) => name);
}

describe('the functions around a place', () => {
  test.each<[script: string, names: string[]]>([
    ['function a(){@}', ['a']],
    ['function a(b=@1){}', ['a']],
    ['async function a(){function*b(){@}}', ['b', 'a']],
    ['var a=function(){@}', ['a']],
    ['var a=async function b(){@}', ['b']],
    ['x.y.a=function(){@}', ['a']],
    ['a=e=>@e+1,b', ['a']],
    ['a=async e=>{@}', ['a']],
    ['a=async(e,f)=>@f', ['a']],
    ['a=((e)=>{@})', ['a']],
    ['a=function(){@}()', ['-']],
    ['a=(function(){@})()', ['-']],
    ['a=function(){@}.call(this)', ['-']],
    ['[1].map(e=>@e)', ['-']],
    ['a=e=>f=>@f;b', ['-', 'a']],
    ['x?a=>1:b=>@2', ['-']],
    ['x?a=>1:@2', []],
    ['y={a(){@}}', ['a']],
    ['y={a:function(){@}}', ['a']],
    ['y={a:()=>@1,b:2}', ['a']],
    ['y={"a-b":()=>@1}', ['a-b']],
    ['y={z:c?b:function(){@}}', ['-']],
    ['y={get a(){@}}', ['a']],
    ['y={async*a(){@}}', ['a']],
    ['y={[a](){@}}', ['-']],
    ['y={catch(a){@}}', ['catch']],
    ['class A{constructor(){@}}', ['A']],
    ['var A=class{constructor(){@}}', ['A']],
    ['var A=class B extends C(){constructor(){@}}', ['B']],
    ['class A{static#b(){@}}', ['#b']],
    ['class A{b=()=>{@}}', ['b']],
    ['class A{if(a){@}}', ['if']],
    ['function a(){if(b){@}}', ['a']],
    ['function a(){for(;;){@}}', ['a']],
    ['function a(){b:{@}}', ['a']],
    ['function a(){return{b(){}}@}', ['a']],
    ['function a(){}@', []],
    ['function a(){return`${b=>@b}`}', ['-', 'a']],
    ['function a(){return`}${`}`}}`@}', ['a']],
    ['function a(){return/[/}]}/.test("}")@}', ['a']],
    ['function a(){if(b)/}/.test(c)@}', ['a']],
    ['function a(){b=c/2;d=e/3@}', ['a']],
    ['function a(){b++/2;"}/"@}', ['a']],
    ["function a(){'\\'}'@}", ['a']],
    ['function a(){/*}*///}\n@}', ['a']],
    ['a=e=>e\nb@()', []],
    ['a=e=>e\n+@b;c', ['a']],
    ['#!/usr/bin/env node }\nfunction a(){@}', ['a']],
    ['x.function(a),function b(){@}', ['b']],
  ])('%s', (script, names) => {
    expect(functionsAt(script)).toEqual(names);
  });

  test('after brackets that do not match, there are none', () => {
    expect(functionsAt('function a(){}]function b(){@}')).toEqual([]);
    expect(functionsAt('function a(){)}function b(){@}')).toEqual([]);
  });

  test('scripts made to be slow or deep are read in one go', () => {
    for (const part of ['=/[', '=>{', '(', '${`', '`${', 'a=>', '"', '/*', '{a:', 'class{', '\\', '?.?'])
      expect(scanScript(part.repeat(50_000)).starts.length).toBeLessThan(60_000);
  });
});

test('what engines call a function, and its name alone', () => {
  const names: Record<string, string | undefined> = {
    a: 'a',
    'HTMLDivElement.r': 'r',
    'Object.a [as b]': 'b',
    'new A': 'A',
    'async a': 'a',
    'async Promise.all': 'all',
    'get a': 'a',
    'A.#b': '#b',
    'a/b': 'b',
    $_: '$_',
    é: 'é',
    '': undefined,
    '?': undefined,
    '<anonymous>': undefined,
    'Object.<anonymous>': undefined,
    'a/<': undefined,
    '(anonymous function)': undefined,
    'eval code': 'code',
  };
  expect(Object.fromEntries(Object.keys(names).map((name) => [name, bareName(name)]))).toEqual(names);
  expect(bareName('x '.repeat(1e6))).toBeUndefined();
  expect(hashName('a')).not.toBe(hashName('b'));
});

describe('in a lookup', () => {
  const script = 'function r(e){return o(e)}const i={onClick:()=>r(1)},s=e=>e.x;t(()=>r(2))';
  const names = ['renderPage', 'openCart', 'select'];
  const token = (text: string, name?: number): SourceMapSegment =>
    name === undefined ? [script.indexOf(text), 0, 1, 2] : [script.indexOf(text), 0, 1, 2, name];
  const mappings = encode([
    [
      token('r(e)', 0),
      token('o(e)', 1),
      token('onClick'),
      token('r(1)', 0),
      token('s=', 2),
      token('e.x'),
      token('r(2)', 0),
    ],
  ]);
  const map = Buffer.from(JSON.stringify({ version: 3, sources: ['a.ts'], names, mappings }));
  const open = (withScript: boolean): Promise<Lookup> => {
    const file = Buffer.concat([...buildLookup(withScript ? { map, script: Buffer.from(script) } : { map }).chunks]);
    return openLookup(async (start, length) => file.subarray(start, start + length));
  };
  const column = (text: string): number => script.indexOf(text) + 1;

  test.each<[text: string, sent: string | undefined, name: string | undefined, functionName: string | undefined]>([
    ['o(e)', 'r', 'openCart', 'renderPage'],
    ['o(e)', 'HTMLDivElement.r', 'openCart', 'renderPage'],
    ['o(e)', undefined, 'openCart', 'renderPage'],
    ['o(e)', '?', 'openCart', 'renderPage'],
    ['o(e)', 'other', 'openCart', undefined],
    ['r(1)', 'onClick', 'renderPage', 'onClick'],
    ['e.x', 's', undefined, 'select'],
    ['r(2)', '?', 'renderPage', undefined],
  ])('%s of a frame of %s', async (text, sent, name, functionName) => {
    expect(await (await open(true)).find(1, column(text), sent)).toMatchObject({ name, functionName });
    expect(await (await open(false)).find(1, column(text), sent)).toMatchObject({ name, functionName: undefined });
  });
});
