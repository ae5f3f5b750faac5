import { expect, test } from 'vitest';
import type { CodeMapping } from '../repositories/index.ts';
import type { CommitWithFiles } from './commits.ts';
import { chooseSuspects, type SuspectFrame } from './suspects.ts';

const repository = {
  id: 1,
  name: 'acme/shop',
  provider: 'github',
  url: 'https://github.com/acme/shop',
  isConfigured: true,
};
const commit = (sha: string, ...paths: string[]): CommitWithFiles => ({
  sha,
  message: '',
  authorName: '',
  authorEmail: '',
  committedAt: 0,
  repository,
  fileCount: paths.length,
  files: paths.map((path) => ({ path, type: 'M' })),
});
const frame = (filename: string): SuspectFrame => ({ filename, absPath: null, function: null, lineNo: 1 });
const mapping = (stackRoot: string, sourceRoot: string, id = 1): CodeMapping => ({
  id: 1,
  projectId: 1,
  repository: {
    id,
    name: 'acme/shop',
    provider: 'github',
    url: '',
    linkTemplate: '',
    defaultBranch: '',
    isConfigured: true,
    createdAt: 0,
  },
  stackRoot,
  sourceRoot,
  branch: '',
});
const shas = (filename: string, commits: CommitWithFiles[], mappings: CodeMapping[] = []): string[] =>
  chooseSuspects(frame(filename), commits, mappings).map(({ commit, how }) => `${commit.sha} ${how}`);

test('commits that touched the file, in their order', () => {
  const commits = [commit('c', 'web/src/a.ts'), commit('b', 'web/src/b.ts'), commit('a', 'web/src/a.ts', 'README.md')];
  expect(shas('../../src/a.ts', commits)).toEqual(['c suffix', 'a suffix']);
  expect(shas('a.ts', commits)).toEqual(['c name', 'a name']);
  expect(shas('../../src/none.ts', commits)).toEqual([]);
});

test('where two files could be meant, nobody is suspected', () => {
  const commits = [commit('b', 'web/src/index.ts'), commit('a', 'api/src/index.ts')];
  expect(shas('src/index.ts', commits)).toEqual([]);
  expect(shas('app:///api/src/index.ts', commits)).toEqual(['a suffix']);
});

test('a code mapping decides, also against what looks alike', () => {
  const commits = [commit('b', 'web/src/index.ts'), commit('a', 'api/src/index.ts')];
  expect(shas('src/index.ts', commits, [mapping('src/', 'web/src/')])).toEqual(['b mapped']);
  expect(shas('src/index.ts', commits, [mapping('src/', 'lib/src/')])).toEqual([]);
  // Of another repository that was set up.
  expect(shas('src/index.ts', commits, [mapping('src/', 'web/src/', 2)])).toEqual([]);
});

test('names that objects have by nature are names of files', () => {
  expect(shas('src/__proto__', [commit('a', 'src/__proto__')])).toEqual(['a suffix']);
  expect(shas('constructor', [commit('a', 'lib/constructor')])).toEqual(['a name']);
  expect(shas('', [commit('a', 'a.ts')])).toEqual([]);
});

test('at most five', () => {
  expect(
    shas(
      'src/a.ts',
      Array.from({ length: 9 }, (_, index) => commit(String(index), 'src/a.ts')),
    ),
  ).toHaveLength(5);
});
