/** One import, from its first request to its report. What it does it may do again: what has come does not come twice. */
import { stops, gaps, trackerNames } from '../../base/texts/imports.ts';
import { untilPassed } from './target/events.ts';
import { importPeople } from './target/people.ts';
import { importProject } from './target/projects.ts';
import { importIssues } from './target/issues.ts';
import { importReleases, importRules, importSearches } from './target/settings.ts';
import { Client, stop } from './client.ts';
import type { ImportContext, ImportStores } from './context.ts';
import { Ledger } from './ledger.ts';
import type { ProjectRecord } from './records.ts';
import { Reporter } from './report.ts';
import { type ImportRun, noProgress, type Progress } from './runs.ts';
import type { Source } from './source.ts';
import { sourceOf } from './source-of.ts';
import { allowOnly } from './target-address.ts';
import type { AllowList } from '../../base/outbound/index.ts';

export interface RunOptions {
  readonly stores: ImportStores;
  readonly run: ImportRun;
  /** As the tracker gave it. */
  readonly token: string;
  /** What the configuration allows beside public addresses. */
  readonly allow: AllowList;
  readonly signal: AbortSignal;
  /** Told of how far it is. */
  note(progress: Progress, reporter: Reporter): void;
}

export async function runImport(options: RunOptions): Promise<void> {
  const { stores, run, signal, token } = options;
  const { url, tracker, organizationId, settings } = run;
  const reporter = new Reporter();
  let progress: Progress = { ...noProgress, startedAt: Date.now() };
  const change = (changed: Partial<Progress>): void => {
    progress = { ...progress, ...changed };
    options.note(progress, reporter);
  };
  const client = new Client({
    url,
    tracker: trackerNames[tracker],
    token,
    allow: settings.allowPrivate ? allowOnly(url, options.allow) : options.allow,
    signal,
    isKnown: run.progress.issuesTotal > 0,
    onWait: (waitMs, waitFor) => change({ waitMs, waitFor }),
    onAnswer: () => progress.waitMs > 0 && change({ waitMs: 0 }),
  });
  const source = sourceOf(tracker, client, url);
  const from = await chooseOrganization(source, settings.fromOrg);
  const context: ImportContext = {
    ...stores,
    organizationId,
    userId: await ownerOf(stores, organizationId),
    tracker,
    settings,
    source,
    from,
    ledger: new Ledger(stores.state.db, organizationId, `${tracker} ${url} ${from}`, run.id),
    reporter,
    signal,
    noteFull: (waitMs) => change({ waitMs, ...(waitMs > 0 && { waitFor: 'log' }) }),
    beginProject: (project) => change({ project }),
    addIssues: (count) => change({ issuesTotal: progress.issuesTotal + count }),
    addDone: (count) => change({ issues: progress.issues + count }),
    addEvents: (count) => change({ events: progress.events + count }),
  };
  // What an attempt before this one wrote is no event yet, so nobody would know it.
  await untilPassed(context);
  for (const { kind, field } of source.lacks) reporter.gap(kind, field, gaps.noApi(trackerNames[tracker]), '', 0);
  const people = await importPeople(context);
  await importSearches(context);
  for (const record of await chooseProjects(source, from, settings.projects)) {
    context.beginProject(record.slug);
    const project = await importProject(context, record, people);
    await importReleases(context, record, project);
    await importRules(context, record, project);
    await importIssues(context, record, project, people);
  }
  change({ project: '' });
}

async function chooseOrganization(source: Source, wanted: string | undefined): Promise<string> {
  // Tokens of one organisation cannot list any.
  if (wanted !== undefined) return wanted;
  const slugs: string[] = [];
  for await (const { slug } of source.organizations()) slugs.push(slug);
  const all = slugs.slice(0, 20).join(', ');
  const [only, another] = slugs;
  if (only === undefined || another !== undefined) throw stop(stops.organizationNeeded(all));
  return only;
}

async function chooseProjects(source: Source, from: string, wanted: readonly string[]): Promise<ProjectRecord[]> {
  const chosen: ProjectRecord[] = [];
  const missing = new Set(wanted);
  for await (const project of source.projects(from)) {
    missing.delete(project.slug);
    if (!wanted.length || wanted.includes(project.slug)) chosen.push(project);
  }
  if (missing.size) throw stop(stops.projectUnknown([...missing].join(', ')));
  return chosen;
}

async function ownerOf({ state }: ImportStores, organizationId: string): Promise<string> {
  const owner = await state.db
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('createdAt')
    .executeTakeFirst();
  if (!owner) throw stop(stops.noOwner);
  return owner.userId;
}
