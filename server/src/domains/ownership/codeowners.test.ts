import { describe, expect, test } from 'vitest';
import { codeownersOf, parseCodeowners } from './codeowners.ts';

const ownersOf = (file: string, path: string): string[] =>
  codeownersOf(parseCodeowners(file), path).flatMap(({ owners }) => owners);

describe("GitHub's patterns", () => {
  const file = `
# everything, unless a later line says otherwise
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
/build/logs/ @doctocat
docs/* docs-one@example.com
apps/ @octocat
/scripts/ @doctocat @octocat
**/logs @loggers
/lib/generated
my\\ folder/ @spaces
lib/*.c @[wrong] @c-owner
`;
  test.each([
    ['README.md', ['@global-owner1', '@global-owner2']],
    ['src/deep/a.js', ['@js-owner']],
    ['main.go', ['docs@example.com']],
    ['docs/getting-started.md', ['docs-one@example.com']],
    ['docs/build-app/troubleshooting.md', ['@global-owner1', '@global-owner2']],
    ['deep/apps/a/b.md', ['@octocat']],
    ['build/logs/today.txt', ['@loggers']],
    ['deep/logs', ['@loggers']],
    ['scripts/run.sh', ['@doctocat', '@octocat']],
    ['other/scripts/run.sh', ['@global-owner1', '@global-owner2']],
    ['lib/generated/api.ts', []],
    ['my folder/a.ts', ['@spaces']],
    ['lib/a.c', ['@c-owner']],
    ['DOCS/a.txt', ['@global-owner1', '@global-owner2']],
  ])('%s', (path, expected) => {
    expect(ownersOf(file, path)).toEqual(expected);
  });

  test('what is no owner is said with its place', () => {
    expect(parseCodeowners(file).problems).toEqual([
      { line: 13, column: 9, endColumn: 17, message: expect.stringContaining('@[wrong] is not an owner') },
    ]);
  });
});

describe("GitLab's sections", () => {
  const file = `
* @all
[Docs] @writers
docs/
README.md @jane
!docs/generated/
^[Optional][2] @database
*.sql
[DOCS]
extra.md @kim
`;
  test.each([
    ['docs/a.md', ['@all', '@writers']],
    ['README.md', ['@all', '@jane']],
    ['docs/generated/a.md', ['@all']],
    ['db/1.sql', ['@all', '@database']],
    ['extra.md', ['@all', '@kim']],
  ])('%s', (path, expected) => {
    expect(ownersOf(file, path)).toEqual(expected);
  });
});

describe('hostile files', () => {
  test('many stars take linear time', () => {
    expect(ownersOf(`${'*a'.repeat(450)} @a`, `${'a'.repeat(449)}${'b'.repeat(500)}`)).toEqual([]);
  });

  test('there is an end to rules, to problems and to what a pattern may be', () => {
    const many = parseCodeowners(`${'a @b\n'.repeat(6_000)}`);
    expect(many.sections[0]).toHaveLength(5_000);
    expect(many.problems).toHaveLength(1);
    expect(parseCodeowners('a wrong\n'.repeat(500)).problems).toHaveLength(100);
    expect(parseCodeowners(`${'x'.repeat(2_000)} @a`).sections[0]).toEqual([]);
    expect(ownersOf('[__proto__] @a\n* @b\n[constructor]\n* @c', 'x')).toEqual(['@b', '@c']);
  });
});
