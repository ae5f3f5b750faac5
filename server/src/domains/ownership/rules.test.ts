import { describe, expect, test } from 'vitest';
import { parseOwnershipRules } from './rules.ts';

const one = (text: string) => {
  const { rules, problems } = parseOwnershipRules(text);
  expect(problems).toEqual([]);
  const [rule] = rules;
  if (!rule) throw new Error('no rule');
  return rule;
};
const problem = (text: string) => parseOwnershipRules(text).problems[0];

describe('matchers', () => {
  test.each([
    ['path:src/payments/* #payments', 'src/payments/deep/down.ts', true],
    ['path:src/payments/* #payments', 'lib/src/payments/a.ts', false],
    ['path:*.TSX #web', 'app/Page.tsx', true],
    ['src/api/* jane@example.com', 'src\\api\\a.ts', true],
    ['path:"my app/*" #web', 'my app/a.ts', true],
    ['path:src/{a,b}/* #web', 'src/b/c.ts', true],
    ['module:shop.cart.* #web', 'shop.cart.total', true],
    ['module:shop.Cart #web', 'shop.cart', false],
    ['url:https://example.com/checkout* #payments', 'https://example.com/checkout/pay?x=1', true],
    ['codeowners:/docs/ #web', 'docs/a/b.md', true],
    ['codeowners:/docs/ #web', 'api/docs/b.md', false],
    ['codeowners:docs/* #web', 'docs/a/b.md', false],
    ['tags.area:Billing* #payments', 'billing-eu', true],
  ])('%s and %s: %s', (rule, value, expected) => {
    expect(one(rule).test(value)).toBe(expected);
  });

  test('what is asked for and of whom', () => {
    expect(one('tags.user.plan:pro #payments jane@example.com # who pays')).toMatchObject({
      kind: 'tag',
      tag: 'user.plan',
      line: 1,
      owners: [
        { name: '#payments', column: 20, endColumn: 29 },
        { name: 'jane@example.com', column: 30 },
      ],
    });
  });

  test('remarks and empty lines are passed over', () => {
    const { rules } = parseOwnershipRules('# whose is what\n\n  path:a #web\r\n# more\nurl:* #web');
    expect(rules.map(({ line, kind }) => [line, kind])).toEqual([
      [3, 'path'],
      [5, 'url'],
    ]);
  });
});

describe('problems have their place', () => {
  test.each([
    ['pth:src/* #web', { line: 1, column: 1, endColumn: 4, message: expect.stringContaining('unknown matcher pth') }],
    ['path:src/*', { line: 1, column: 11, message: expect.stringContaining('expected an owner') }],
    ['path: #web', { line: 1, message: expect.stringContaining('a value after') }],
    ['path:src/* web', { column: 12, endColumn: 15, message: expect.stringContaining('web is not an owner') }],
    ['\n  path:"src/* #web', { line: 2, column: 8, message: expect.stringContaining('quotes') }],
    [`path:${'{a,b}'.repeat(10)} #web`, { message: expect.stringContaining('alternatives') }],
  ])('%s', (text, expected) => {
    expect(problem(text)).toMatchObject(expected);
  });

  test('other lines hold all the same', () => {
    const { rules, problems } = parseOwnershipRules('path:a #web\nnonsense\npath:b #web');
    expect(rules.map(({ line }) => line)).toEqual([1, 3]);
    expect(problems.map(({ line }) => line)).toEqual([2]);
  });
});

test('many stars take linear time', () => {
  const rule = one(`path:${'*a'.repeat(400)}* #web`);
  expect(rule.test(`${'a'.repeat(399)}${'b'.repeat(600)}`)).toBe(false);
});
