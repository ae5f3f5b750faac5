/** Addresses of source lines and commits on the pages of a repository. */
import type { State } from '../../ports/state/state.ts';
import { listCodeMappings } from './mappings.ts';
import { type FramePath, plainPathOf, spellingsOf } from './paths.ts';
import type { CodeMapping, Repository } from './types.ts';

export interface LinkFrame extends FramePath {
  /** 1-based. */
  readonly lineNo?: number | null | undefined;
}

/** What links of the frames of one release are made of. */
export interface LinkContext {
  /** Of the project; the longest stack root first. */
  readonly mappings: readonly CodeMapping[];
  /** Which commit of a repository the release was made of, by id of the repository. */
  readonly commits: ReadonlyMap<number, string>;
}

/** A file in a repository. */
export interface MappedFile {
  readonly mapping: CodeMapping;
  readonly path: string;
}

/** Where the frame's file lies, by the first code mapping that fits. */
export function mapFrame(frame: FramePath, mappings: readonly CodeMapping[]): MappedFile | undefined {
  const spellings = spellingsOf(frame);
  const plain = plainPathOf(frame);
  for (const mapping of mappings) {
    const { stackRoot, sourceRoot } = mapping;
    // Nothing to begin with fits any path, so it is for plain ones alone.
    const found = stackRoot === '' ? plain : spellings.find((spelling) => spelling.startsWith(stackRoot));
    if (!found) continue;
    const path = withinRepository(sourceRoot + found.slice(stackRoot.length));
    if (path !== undefined && !isLibrary(path)) return { mapping, path };
  }
  return undefined;
}

/** Folders of other people's code, wherever they lie. */
const libraries = /(?:^|\/)(?:node_modules|site-packages|dist-packages|go\/pkg\/mod|\.cargo\/registry|rustc|gems)\//;
const isLibrary = (path: string): boolean => libraries.test(path);

/** The path without `.` and `..`; undefined for one that leads out of the repository. */
function withinRepository(path: string): string | undefined {
  const [bare = ''] = path.replaceAll('\\', '/').split(/[?#]/, 1);
  const parts: string[] = [];
  for (const part of bare.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length ? parts.join('/') : undefined;
}

/** Undefined where no code mapping fits, or nobody said where the repository is. */
export function linkOf(frame: LinkFrame, context: LinkContext): string | undefined {
  const file = mapFrame(frame, context.mappings);
  if (!file) return undefined;
  const { mapping, path } = file;
  const { repository } = mapping;
  const commit = context.commits.get(repository.id) ?? (mapping.branch || repository.defaultBranch || 'HEAD');
  return lineLink(repository, path, commit, frame.lineNo ?? undefined);
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Of a line, or of the file where there is none. `commit` may be a branch. */
export function lineLink(repository: Repository, path: string, commit: string, line?: number): string | undefined {
  const { provider, url, linkTemplate } = repository;
  const file = encoded(path.toWellFormed());
  const at = encoded(commit.toWellFormed());
  if (linkTemplate) {
    const values: Readonly<Record<string, string>> = { path: file, commit: at, line: String(line ?? 1) };
    return linkTemplate.replaceAll(/\{(path|line|commit)\}/g, (_, name: string) => values[name] ?? '');
  }
  if (!url) return undefined;
  const anchor = (text: string): string => (line === undefined ? '' : `#${text}${line}`);
  switch (provider) {
    case 'github':
      return `${url}/blob/${at}/${file}${anchor('L')}`;
    case 'gitlab':
      return `${url}/-/blob/${at}/${file}${anchor('L')}`;
    case 'bitbucket':
      return `${url}/src/${at}/${file}${anchor('lines-')}`;
    case 'other':
      return undefined;
  }
}

/** Page of a commit; undefined where the repository's pages are not known. */
export function commitLink({ provider, url }: { provider: string; url: string }, sha: string): string | undefined {
  const commit = encodeURIComponent(sha.toWellFormed());
  if (!url) return undefined;
  if (provider === 'github') return `${url}/commit/${commit}`;
  if (provider === 'gitlab') return `${url}/-/commit/${commit}`;
  return provider === 'bitbucket' ? `${url}/commits/${commit}` : undefined;
}

/** `release` is the version that the event carries, '' for none. */
export async function linkContext(
  state: State,
  project: { readonly id: number; readonly organizationId: string },
  release: string,
): Promise<LinkContext> {
  const mappings = await listCodeMappings(state, project.organizationId, [project.id]);
  if (!mappings.length || release === '') return { mappings, commits: new Map() };
  return { mappings, commits: await commitsOfRelease(state, project.organizationId, release, mappings) };
}

async function commitsOfRelease(
  state: State,
  organizationId: string,
  version: string,
  mappings: readonly CodeMapping[],
): Promise<Map<number, string>> {
  const heads = await state.db
    .selectFrom('release')
    .innerJoin('release_head', 'release_head.release_id', 'release.id')
    .innerJoin('repository', 'repository.id', 'release_head.repository_id')
    .select(['repository.id as id', 'repository.is_configured as configured', 'release_head.sha as sha'])
    .where('release.organization_id', '=', organizationId)
    .where('release.version', '=', version)
    .execute();
  const newest = await state.db
    .selectFrom('release')
    .innerJoin('release_commit', 'release_commit.release_id', 'release.id')
    .innerJoin('commit', 'commit.id', 'release_commit.commit_id')
    .innerJoin('repository', 'repository.id', 'commit.repository_id')
    .select(['repository.id as id', 'repository.is_configured as configured', 'commit.sha as sha'])
    .where('release.organization_id', '=', organizationId)
    .where('release.version', '=', version)
    .orderBy('release_commit.position')
    .limit(1)
    .execute();
  const found = [...heads, ...newest];
  const commits = new Map(found.toReversed().map(({ id, sha }) => [id, sha]));
  const mapped = new Set(mappings.map(({ repository }) => repository.id));
  const [only, second] = mapped;
  const [unnamed] = found;
  // sentry-cli calls a checkout by its remote, "origin": where all leads to one repository, that is the one.
  if (only !== undefined && second === undefined && unnamed && commits.size === 1 && unnamed.configured === 0) {
    commits.set(only, unnamed.sha);
  }
  return commits;
}
