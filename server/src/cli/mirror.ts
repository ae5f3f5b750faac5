import { CodedError } from '../base/errors.ts';
import type { TextBox } from '../base/secrets/index.ts';
import { general } from '../base/texts/cli.ts';
import { mirrorCommand as texts, mirrors as mirrorTexts } from '../base/texts/mirror.ts';
import { quoted, things } from '../base/texts/things.ts';
import type { Note } from '../domains/audit/index.ts';
import { findMirror, type Mirror, readTarget, removeMirror, setMirror, shownDsn } from '../domains/mirror/index.ts';
import { getProject, listProjects, type Project } from '../domains/projects/index.ts';
import type { State } from '../ports/state/state.ts';
import { ask } from './ask.ts';
import { boxHere, byCommand, openAudit } from './audited.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { compareMirror, compareOptions } from './mirror-compare.ts';
import { findOrganization, openInstallation, publicUrl } from './stores.ts';

const actions = ['list', 'set', 'pause', 'resume', 'remove', 'compare'] as const;
type Action = (typeof actions)[number];
type Change = Exclude<Action, 'list' | 'compare'>;
const isAction = (word: string): word is Action => (actions as readonly string[]).includes(word);

export const mirrorCommand: Command = {
  name: 'mirror',
  summary: texts.summary,
  usage:
    'list | set PROJECT --to DSN | (pause | resume | remove | compare) PROJECT [--yes] [--url URL] [--org SLUG] [--json]',
  options: {
    to: { type: 'string', placeholder: 'DSN', help: texts.to },
    yes: { type: 'boolean', help: texts.yes },
    ...compareOptions,
    org: { type: 'string', placeholder: 'SLUG', help: general.organization },
  },
  words: 2,
  examples: [
    'culprit mirror set web --to https://key@sentry.example/1',
    'culprit mirror list',
    'culprit mirror pause web',
    'culprit mirror remove web --yes',
    'CULPRIT_MIRROR_TOKEN=… culprit mirror compare web',
    'culprit mirror compare web --url https://sentry.example --their-project web --events 50',
  ],
  async run(invocation) {
    const [action = 'list', slug] = invocation.words;
    if (!isAction(action)) throw new UsageError(general.actions(actions));
    if (action === 'list' && slug !== undefined) throw new UsageError(general.surplus(slug));
    if (action !== 'list' && !slug) throw new UsageError(texts.projectNeeded(action));
    const dsn = action === 'set' ? invocation.required('to') : undefined;
    const { config, text } = invocation;
    await using state = await openInstallation(config);
    const organization = await findOrganization(state, text('org'));
    const box = await boxHere(config, state);
    if (action === 'list' || !slug) {
      const projects = await listProjects(state, organization.id);
      printAll(
        invocation,
        await Promise.all(projects.map(async (one) => listed(one, await findMirror(state, box, one.id)))),
      );
      return 0;
    }
    const project = await getProject(state, organization.id, slug);
    if (!project) throw new CodedError('NOT_FOUND', [things.project(quoted(slug))]);
    if (action === 'compare') {
      return await compareMirror(invocation, { state, project, mirror: await findMirror(state, box, project.id) });
    }
    const audit = await openAudit(config, state);
    const deed = { ...byCommand(`mirror ${action}`), organizationId: organization.id };
    const place = { project, box, dsn, own: await publicUrl(config) };
    if (action === 'remove' && !(await isMeant(invocation, project.slug))) return 1;
    await audit.recorded(deed, (inside, note) => change(inside, note, action, place));
    const after = await findMirror(state, box, project.id);
    invocation.print(listed(project, after), [said(action, project, after)]);
    return 0;
  },
};

interface Place {
  readonly project: Project;
  readonly box: TextBox;
  readonly dsn: string | undefined;
  readonly own: string;
}

async function change(inside: State, note: Note, action: Change, { project, box, dsn, own }: Place): Promise<void> {
  const { id, slug, settings } = project;
  if (settings.internal) throw new CodedError('INPUT_INVALID', [mirrorTexts.internal]);
  const told = { id, name: slug, project: slug };
  const before = await findMirror(inside, box, id);
  const target = dsn === undefined ? before?.target : readTarget(dsn, own);
  if (!target) throw new CodedError('NOT_FOUND', [things.mirror(slug)]);
  if (action === 'remove') {
    await removeMirror(inside, id);
    note(told, { action: 'mirror.delete', details: { leads: shownDsn(target) } });
    return;
  }
  await setMirror(inside, box, { projectId: id, target, enabled: action !== 'pause' });
  const now = { leads: shownDsn(target), enabled: action !== 'pause' };
  if (!before) note(told, { action: 'mirror.create', details: { leads: now.leads } });
  else {
    const was = { leads: before.target ? shownDsn(before.target) : '', enabled: before.enabled };
    note(told, { action: 'mirror.update', before: was, after: now });
  }
}

async function isMeant({ flag }: Invocation, slug: string): Promise<boolean> {
  if (flag('yes')) return true;
  const answer = await ask(texts.askRemove(slug));
  if (answer === undefined) throw new UsageError(texts.yesNeeded);
  return answer;
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function listed({ slug }: Project, mirror: Mirror | undefined) {
  return {
    project: slug,
    mirror: mirror
      ? {
          target: mirror.target ? shownDsn(mirror.target) : null,
          enabled: mirror.enabled,
          forwarded: mirror.forwarded,
          refused: mirror.refused,
          dropped: mirror.dropped,
          lastForwarded: iso(mirror.forwardedAt),
          refusal: mirror.refusal,
          failingSince: iso(mirror.failingSince),
          problem: mirror.target ? mirror.problem : mirrorTexts.otherKey,
        }
      : null,
  };
}

type Listed = ReturnType<typeof listed>;

function printAll({ print }: Invocation, all: readonly Listed[]): void {
  const having = all.flatMap(({ project, mirror }) => (mirror ? [{ project, ...mirror }] : []));
  print(
    having,
    having.length === 0
      ? [texts.none]
      : having.flatMap(({ project, target, enabled, forwarded, refused, dropped, failingSince, problem }) => [
          `${project.padEnd(24)} ${target ?? ''}${enabled ? '' : `  (${texts.isPaused})`}`,
          `  ${texts.counts(forwarded, refused, dropped)}`,
          ...(failingSince ? [`  ${texts.isFailing(failingSince, problem)}`] : []),
        ]),
  );
}

function said(action: Change, { slug }: Project, mirror: Mirror | undefined): string {
  if (action === 'pause') return texts.paused(slug);
  if (action === 'resume') return texts.resumed(slug);
  if (action === 'remove') return texts.removed(slug);
  return texts.set(slug, mirror?.target ? shownDsn(mirror.target) : '');
}
