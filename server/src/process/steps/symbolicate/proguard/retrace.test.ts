/** What is expected was printed by R8's own retrace 8.5.35 for the same mapping, where it prints one answer. */
import { expect, test } from 'vitest';
import { readClass } from './read.ts';
import { descriptorOf, retrace } from './retrace.ts';
import { mappingContext } from './testing.ts';

const mapping = `# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.Cart -> a.b:
# {"id":"sourceFile","fileName":"CartFile.kt"}
    1:3:void com.example.Util.inner(int):10:12 -> a
    1:3:void order():20:20 -> a
    4:9:void order():30:35 -> a
    10:10:void other():7 -> a
    11:20:int sum(int):50 -> b
    void plain() -> c
    void plain(int) -> c
    void spread():5:9 -> d
    1:1:void first() -> e
    0:65535:void whole():12:12 -> f
    1:5:void com.example.Foo$Bar.go():1:5 -> g
    1:5:void host():100:100 -> g
com.example.MainKt -> a.c:
    1:1:void main():4:4 -> a
com.example.Util -> a.d:
# {"id":"sourceFile","fileName":"Helpers.java"}
com.example.Lambda0 -> a.e:
# {"id":"sourceFile","fileName":"R8$$SyntheticClass"}
# {"id":"com.android.tools.r8.synthesized"}
    1:1:void com.example.Cart.lambda$go$0():33:33 -> run
      # {"id":"com.android.tools.r8.synthesized"}
    1:1:void run():0:0 -> run
      # {"id":"com.android.tools.r8.synthesized"}
    2:2:void run():0:0 -> only
      # {"id":"com.android.tools.r8.synthesized"}
com.example.Boom -> a.f:
com.example.Req -> a.g:
    4:4:boolean com.example.Chk.requireNonNull(java.lang.Object):9:9 -> m
    4:4:void m():40:40 -> m
    # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
com.example.Outline -> a.h:
    1:2:int outline():0:0 -> a
    # {"id":"com.android.tools.r8.outline"}
com.example.Caller -> a.i:
    4:4:int outlineCaller(int):23 -> s
    5:5:int foo.bar.baz.outlineCaller(int):100 -> s
    27:27:int outlineCaller(int):0:0 -> s
    # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5},"outline":"La/h;a()I"}
com.example.Two -> a.k:
    1:3:void one(int):10:12 -> a
    1:3:void two(java.lang.String):20:22 -> a
    void none(int) -> b
    3:3:void some():4:4 -> b
    1:1:void com.example.X.i():8 -> c
    1:1:void com.example.Y.j():9 -> c
    1:1:void k():10 -> c
`;

const context = mappingContext(mapping);

interface Thrown {
  readonly outlineLine?: number;
  readonly thrown?: readonly string[];
}

function written(className: string, method: string, line = 0, { outlineLine, thrown = [] }: Thrown = {}) {
  const frame = { className, method, line, file: 'SourceFile' };
  return retrace(frame, context, { outlineLine, thrown }).alternatives?.map((one) =>
    one.map((at) => `${at.className}.${at.method}(${at.file}${at.line > 0 ? `:${at.line}` : ''})`).join(' < '),
  );
}

test.each<[string, string, number, string[]]>([
  ['a.b', 'a', 2, ['com.example.Util.inner(Helpers.java:11) < com.example.Cart.order(CartFile.kt:20)']],
  ['a.b', 'a', 5, ['com.example.Cart.order(CartFile.kt:31)']],
  ['a.b', 'a', 10, ['com.example.Cart.other(CartFile.kt:7)']],
  ['a.b', 'a', 99, ['com.example.Cart.a(CartFile.kt:99)']],
  ['a.b', 'b', 15, ['com.example.Cart.sum(CartFile.kt:50)']],
  ['a.b', 'c', 15, ['com.example.Cart.plain(CartFile.kt:15)']],
  ['a.b', 'c', 0, ['com.example.Cart.plain(CartFile.kt)']],
  ['a.b', 'd', 15, [5, 6, 7, 8, 9].map((line) => `com.example.Cart.spread(CartFile.kt:${line})`)],
  ['a.b', 'd', 0, ['com.example.Cart.spread(CartFile.kt)']],
  ['a.b', 'e', 1, ['com.example.Cart.first(CartFile.kt:1)']],
  ['a.b', 'f', 77, ['com.example.Cart.whole(CartFile.kt:12)']],
  ['a.b', 'f', 0, ['com.example.Cart.whole(CartFile.kt:12)']],
  ['a.b', 'g', 3, ['com.example.Foo$Bar.go(Foo.java:3) < com.example.Cart.host(CartFile.kt:100)']],
  ['a.b', 'zz', 3, ['com.example.Cart.zz(CartFile.kt:3)']],
  ['a.c', 'a', 1, ['com.example.MainKt.main(Main.kt:4)']],
  ['a.e', 'run', 1, ['com.example.Cart.lambda$go$0(CartFile.kt:33)']],
  ['a.e', 'only', 2, ['']],
  ['a.g', 'm', 4, ['com.example.Chk.requireNonNull(Chk.java:9) < com.example.Req.m(Req.java:40)']],
  ['a.k', 'a', 2, ['com.example.Two.one(Two.java:11) < com.example.Two.two(Two.java:21)']],
  ['a.k', 'b', 3, ['com.example.Two.some(Two.java:4)']],
  ['a.k', 'b', 4, ['com.example.Two.none(Two.java:4)']],
  ['a.k', 'c', 1, ['com.example.X.i(X.java:8) < com.example.Y.j(Y.java:9) < com.example.Two.k(Two.java:10)']],
])('%s.%s:%s', (className, method, line, expected) => {
  expect(written(className, method, line)).toEqual(expected);
});

test('a class that the mapping does not have stays as it is', () => {
  expect(written('x.y', 'z', 3)).toBeUndefined();
});

test('frames inside are left out for the exception that the rule names, and for no other', () => {
  const thrown = [descriptorOf('java.lang.NullPointerException')];
  expect(written('a.g', 'm', 4, { thrown })).toEqual(['com.example.Req.m(Req.java:40)']);
  expect(written('a.g', 'm', 4, { thrown: [descriptorOf('a.f')] })?.[0]).toContain('requireNonNull');
});

test('an outline is no frame, and says where its caller was', () => {
  const frame = { className: 'a.h', method: 'a', line: 2, file: '' };
  expect(retrace(frame, context, { outlineLine: undefined, thrown: [] })).toEqual({ alternatives: [], outlineLine: 2 });
  expect(written('a.i', 's', 27, { outlineLine: 1 })).toEqual(['com.example.Caller.outlineCaller(Caller.java:23)']);
  expect(written('a.i', 's', 27, { outlineLine: 2 })).toEqual(['foo.bar.baz.outlineCaller(baz.java:100)']);
  expect(written('a.i', 's', 27)).toEqual(['com.example.Caller.outlineCaller(Caller.java)']);
});

test('lines that are none of a mapping are passed over, however long', () => {
  const long = `    1:1:void ${'x'.repeat(1_000_000)}() -> a`;
  const text = [
    'com.example.A -> a.a:',
    long,
    '    # {"id":',
    '    # {"id":"sourceFile"',
    'garbage',
    '    1:2:void ok():3:4 -> b',
  ];
  const read = readClass(text.join('\n'));
  expect([...(read?.methods.keys() ?? [])]).toEqual(['b']);
  expect(readClass('    void a() -> b')).toBeUndefined();
  const spaces = `    ${' '.repeat(60_000)}1:1:`;
  expect(readClass(`com.example.A -> a.a:\n${spaces}`)?.methods.size).toBe(0);
});
