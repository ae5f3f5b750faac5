/** The language against texts of any kind, selectors against a slow reading of the same rules, and time against length. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { applyOwnRules } from './apply.ts';
import { Chunks } from './chunks.ts';
import { forms } from './forms.ts';
import { loadPatterns, readOwnRules } from './index.ts';
import { type JsonNode, readJsonText } from './json-text.ts';
import { readPattern } from './patterns.ts';
import { type Place, readSelector, selects } from './selector.ts';
import { itemShape } from './types.ts';

await loadPatterns();

const source = { prefix: 'project', hashKey: 'key' } as const;

const word = fc.constantFrom(
  'a',
  'b',
  'user',
  "'odd key'",
  '$string',
  '$object',
  '$user',
  '*',
  '**',
  '0',
  '1',
  '$array',
);
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
const selector = fc.letrec<{ any: string; not: string; join: string; group: string }>((tie) => ({
  any: fc.oneof({ depthSize: 'small', withCrossShrink: true }, path, tie('not'), tie('join'), tie('group')),
  not: path.map((one) => `!${one}`),
  join: fc.tuple(tie('any'), fc.constantFrom(' && ', ' || ', '&', '|'), tie('any')).map((parts) => parts.join('')),
  group: tie('any').map((one) => `(${one})`),
})).any;

const config = fc.record(
  {
    rules: fc.dictionary(
      fc.constantFrom('r', 's', 't'),
      fc.oneof(
        fc.record({ type: fc.constantFrom('ip', 'email', 'password', 'anything', 'nothing') }),
        fc.record({
          type: fc.constant('pattern'),
          pattern: fc.oneof(fc.string(), fc.constantFrom('a+', '(b)', '(?=c)')),
          replaceGroups: fc.array(fc.nat(2)),
        }),
        fc.record({
          type: fc.constant('multiple'),
          rules: fc.array(fc.constantFrom('r', 's', '@ip', '@none')),
          redaction: fc.record({ method: fc.constantFrom('mask', 'hash', 'x') }),
        }),
        fc.json().map((text) => JSON.parse(text) as unknown),
      ),
    ),
    applications: fc.dictionary(
      fc.oneof(selector, fc.string()),
      fc.array(fc.constantFrom('r', 's', 't', '@ip', '@anything:hash')),
    ),
    vars: fc.anything({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);

describe('any text is read without throwing', () => {
  const within = (text: string): void => {
    const lines = text.split(/\r\n|[\r\n]/);
    for (const { line, column, endColumn, message } of readOwnRules(text, source).problems) {
      expect(message).not.toBe('');
      expect(lines[line - 1]).toBeDefined();
      expect(column).toBeGreaterThan(0);
      expect(endColumn).toBeGreaterThan(column);
      expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
    }
  };

  it('configurations', () => {
    fc.assert(
      fc.property(config, fc.constantFrom(0, 2), (value, spaces) => within(JSON.stringify(value, null, spaces) ?? '')),
      { numRuns: 300 },
    );
  });

  it('those that were cut, and had characters put in', () => {
    const broken = fc.tuple(config, fc.nat(), fc.string({ maxLength: 2 }), fc.boolean());
    fc.assert(
      fc.property(broken, ([value, place, put, isCut]) => {
        const text = JSON.stringify(value, null, 1) ?? '';
        const at = place % (text.length + 1);
        within(text.slice(0, at) + put + (isCut ? '' : text.slice(at)));
      }),
      { numRuns: 500 },
    );
  });

  it('anything else', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), within), { numRuns: 300 });
  });
});

test('JSON is what JSON.parse takes, but for a name that comes twice', () => {
  const valueOf = (node: ReturnType<typeof readJsonText>): unknown => {
    if ('fault' in node) return undefined;
    const plain = ({ node: one }: { node: JsonNode }): unknown => {
      if (one.kind === 'text') return one.text;
      if (one.kind === 'plain') return one.value;
      if (one.kind === 'list') return one.entries.map((entry) => plain({ node: entry }));
      return Object.fromEntries(one.members.map(({ name, value }) => [name.text, plain({ node: value })]));
    };
    return plain(node);
  };
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 1, '\t'), (json, spaces) => {
      const text = JSON.stringify(JSON.parse(json), null, spaces);
      expect(valueOf(readJsonText(text))).toEqual(JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        expect(readJsonText(text)).toHaveProperty('fault');
        return;
      }
      expect(valueOf(readJsonText(text))).toEqual(parsed);
    }),
  );
});

describe('selectors', () => {
  const step = fc.record({
    key: fc.constantFrom<(string | number)[]>('a', 'b', 'user', 'odd key', 0, 1),
    mask: fc.constantFrom(1, 64, 128, 32),
  });
  const places = fc.array(step, { minLength: 1, maxLength: 6 }).map((steps): Place => ({
    length: steps.length + 1,
    keys: [undefined, ...steps.map(({ key }) => key)],
    masks: [0, ...steps.map(({ mask }) => mask)],
    isNamedOnly: false,
  }));

  /** Each way to spread the parts over the last steps. */
  function slowly(parts: readonly unknown[], place: Place): boolean {
    const alone = (part: unknown, at: number): boolean => {
      const read = readSelector(`zz.${String(part)}`);
      if ('fault' in read) throw new Error(read.fault.message);
      const one: Place = { ...place, length: 2, keys: ['zz', place.keys[at]], masks: [0, place.masks[at] ?? 0] };
      return selects(read.selector, one);
    };
    const fits = (index: number, at: number): boolean => {
      if (index === parts.length) return at === place.length;
      if (at >= place.length) return false;
      if (parts[index] === '**') {
        for (let next = at + 1; next <= place.length; next++) if (fits(index + 1, next)) return true;
        return false;
      }
      return (parts[index] === '*' || alone(parts[index], at)) && fits(index + 1, at + 1);
    };
    // `**` at the beginning needs something before what it stands for.
    const first = parts[0] === '**' ? 1 : 0;
    for (let at = first; at < place.length; at++) if (fits(0, at)) return true;
    return false;
  }

  it('choose what a slow reading chooses', () => {
    const parts = fc
      .array(word, { minLength: 1, maxLength: 4 })
      .filter((list) => list.filter((one) => one === '**').length < 2 && String(list) !== '*');
    fc.assert(
      fc.property(parts, places, (list, place) => {
        const read = readSelector(list.join('.'));
        if ('fault' in read) throw new Error(read.fault.message);
        expect(selects(read.selector, place)).toBe(slowly(list, place));
      }),
      { numRuns: 2_000 },
    );
  });

  it('join as logic does', () => {
    fc.assert(
      fc.property(path, path, places, (a, b, place) => {
        const holds = (text: string): boolean | undefined => {
          const read = readSelector(text);
          return 'fault' in read ? undefined : selects(read.selector, place);
        };
        const [first, second] = [holds(a), holds(b)];
        if (first === undefined || second === undefined) return;
        expect(holds(`${a} && ${b}`)).toBe(first && second);
        expect(holds(`${a} || ${b}`)).toBe(first || second);
        expect(holds(`!${a} && ${b} || ${a}`)).toBe((!first && second) || first);
        expect(holds(`!(${a} || ${b})`)).toBe(!(first || second));
      }),
      { numRuns: 500 },
    );
  });
});

test('what gives way does so, and nothing else', () => {
  const ranges = fc.array(fc.nat(40), { maxLength: 8 }).map((list) => [...new Set(list)].sort((a, b) => a - b));
  fc.assert(
    fc.property(
      fc.string({ minLength: 40, maxLength: 60 }).filter((text) => !text.includes('\0')),
      ranges,
      ranges,
      (text, first, second) => {
        const chunks = new Chunks(text);
        const taken = new Set<number>();
        // Where each character of the text is now.
        let rest = Array.from({ length: text.length }, (_, index) => [index]);
        for (const list of [first, second]) {
          const pairs = list
            .filter((_, index) => index % 2 === 0)
            .flatMap((start, index) => {
              const end = Math.min(list[index * 2 + 1] ?? start, rest.length);
              return end > start ? [{ start, end }] : [];
            });
          chunks.replace(pairs, () => '#');
          const next: number[][] = [];
          let done = 0;
          for (const { start, end } of pairs) {
            next.push(...rest.slice(done, start), rest.slice(start, end).flat());
            for (const index of rest.slice(start, end).flat()) taken.add(index);
            done = end;
          }
          rest = [...next, ...rest.slice(done)];
        }
        const expected = rest
          .map((part) => (part.every((index) => taken.has(index)) ? '#' : (text[part[0] ?? 0] ?? '')))
          .join('');
        expect(chunks.whole()).toBe(expected);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('no value of any shape keeps what a rule for texts takes', () => {
  const { rules, problems } = readOwnRules(
    JSON.stringify({
      rules: { m: { type: 'pattern', pattern: 'zqm\\d', redaction: { method: 'mask' } } },
      applications: { '$string || $number': ['m'] },
    }),
    source,
  );
  expect(problems).toEqual([]);
  const text = fc.oneof(
    fc.constant('zqm1'),
    fc.string().map((one) => `${one}zqm2${one}`),
    fc.string(),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'medium' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('any'), { maxLength: 4 }),
    object: fc.dictionary(fc.string(), tie('any'), { maxKeys: 4 }),
  })).any;
  fc.assert(
    fc.property(value, (sent) => {
      const root = { sent: structuredClone(sent) } as JsonObject;
      applyOwnRules(root, rules, { shape: itemShape, maxText: 1e6, changed: () => undefined });
      // Names stay.
      expect(textsOf(root.sent).join('\n')).not.toMatch(/zqm\d/);
    }),
    {
      numRuns: 500,
      examples: [[JSON.parse('[{"__proto__":"zqm1"}]')], [JSON.parse('{"__proto__":{"__proto__":["zqm1"]}}')]],
    },
  );
});

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => textsOf(one)) : [];
}

test('matches are found wherever they lie, however many there are', () => {
  const read = readPattern('id-(\\d+)');
  if ('fault' in read) throw new Error(read.fault.message);
  const text = Array.from({ length: 20_000 }, (_, index) => `id-${index}`).join(', ');
  const found = read.pattern.find(text, [1]);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(
    Array.from({ length: 20_000 }, (_, index) => String(index)),
  );
  const long = `${'id-1 '.repeat(2_000)}id-${'7'.repeat(5_000)}, `.repeat(3);
  expect(
    read.pattern
      .find(long, [1])
      .map(({ start, end }) => end - start)
      .filter((length) => length > 1),
  ).toEqual([5_000, 5_000, 5_000]);
});

describe('time follows the length', () => {
  const seeds = [
    'a', '4', '4 ', '12-', 'a@', 'a@a.', 'a.', 'bearer ', '/home/', '//a:', 'a://a:a', '://', '-----BEGIN A KEY-----', 'DE12', 'password=', 'ab:', '::', '1.', 'a1b2c3d4-', '00-', '0:', 'key:', 'x=1;', '\\', '"', '\n',
  ]; // prettier-ignore
  it.each(Object.entries(forms))('%s', (_, { find }) => {
    for (const seed of seeds) {
      const started = performance.now();
      find(seed.repeat(300_000 / seed.length));
      // Quadratic time would be minutes.
      expect(performance.now() - started, seed).toBeLessThan(5_000);
    }
  });

  it.each([
    '(a+)+$',
    '(a|aa)+b',
    '(.*)*x',
    '([a-z]+)*\\d',
    '(?:a?){30}a{30}',
    '(a*)*b|c',
    '^(\\w+\\s?)*$',
    '.*.*=.*',
    '(?i)(x+x+)+y',
    '[a-z ]*[0-9]|[a-z]',
    '(?:.*x)|.',
    '(?s:.*)q|a',
  ])('%s', (expression) => {
    const read = readPattern(expression);
    if ('fault' in read) throw new Error(read.fault.message);
    const { pattern } = read;
    /** Of the processor, the least of some runs, ms. */
    const time = (text: string): number => {
      const runs = [1, 2].map(() => {
        const started = process.threadCpuUsage();
        pattern.find(text, [0]);
        const { user, system } = process.threadCpuUsage(started);
        return (user + system) / 1_000;
      });
      return Math.min(...runs);
    };
    for (const seed of ['a', 'ab']) {
      const [short, long] = [time(seed.repeat(1_000)), time(seed.repeat(8_000))];
      // Eight times the length; its square would be sixty-four times, and what backtracks would not end.
      expect(long, seed).toBeLessThan(24 * Math.max(short, 4));
    }
  });
});
