import { expect, test } from 'vitest';
import { serverLiteralsOf } from './server-literals.ts';

const textsOf = (source: string, file = 'server/src/test.ts'): string[] =>
  serverLiteralsOf(file, source).map(({ text }) => text);

test('details of errors, also short ones, and of what is refused', () => {
  expect(
    textsOf(`
      throw new CodedError('INPUT_INVALID', ['end requires a start']);
      throw new CodedError('NOT_FOUND', [\`project \${name}\`]);
      line.fail(\`expected = after \${name}\`);
      return refuse('no_release', 'the session has no valid release');
      new BundleError(isBig ? 'the bundle is too large' : problems.small);
      z.string().regex(/^a/, 'must be a').max(10, 'too long').refine(isFine, { message: 'not fine' });
    `),
  ).toEqual([
    'end requires a start',
    'project …',
    'expected = after …',
    'the session has no valid release',
    'the bundle is too large',
    'must be a',
    'too long',
    'not fine',
  ]);
});

test('what reads like words, wherever it stands', () => {
  expect(
    textsOf(`
      const why = 'not used: no file';
      const notice = { title: \`\${actor} mentioned you in \${issue}\`, kind: 'mentioned by them' };
    `),
  ).toEqual(['not used: no file', '… mentioned you in …']);
});

test('not: log lines, mistakes of the program, SQL, headers, values and names', () => {
  expect(
    textsOf(`
      type Several = 'as one' | 'each';
      logger.warn({ err }, 'could not be written');
      failures.note(error, { message: 'an export failed' });
      throw new Error('the project has no key');
      if (kind === 'of this kind') return 'as one';
      db.selectFrom('issue').where('id', 'is not', null).select('issue.id as id');
      sql\`state = 'waiting' and due_at <= 1\`;
      const from = 'SELECT a FROM b';
      reply.header('cache-control', 'no-store, no-transform').type('text/html; charset=utf-8');
      throw new CodedError('LOG_FULL', [texts.full(bytes), 'INPUT']);
    `),
  ).toEqual([]);
});

test('of contracts only what a check says', () => {
  expect(
    textsOf(
      `z.string().min(1, 'must name one thing').describe('Name of the thing.'); listed('Only in the first release');`,
      'server/src/api/things/contract.ts',
    ),
  ).toEqual(['must name one thing']);
});
