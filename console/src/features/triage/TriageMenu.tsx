import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { priorities as priorityNames, priority } from '../../messages/triage.ts';
import * as m from '../../messages/triage-menus.ts';
import { ComboboxAt } from '../../ui/Combobox.tsx';
import { releasesQuery } from '../releases/queries.ts';
import { useOrg, useSession } from '../session/organization.ts';
import { priorities, setPriority, type Action, type Assignee } from './actions.ts';
import { Avatar } from './Avatar.tsx';
import { archiveChoices, assignChoices, isMeant, resolveChoices, type Choice } from './choices.ts';
import { membersQuery, suggestedOwnersQuery, teamsQuery } from './queries.ts';
import type { Target } from './use-triage.ts';

export type MenuKind = 'resolve' | 'archive' | 'assign' | 'priority';

interface Props {
  readonly anchor: Element;
  /** The issues to change; none for all that a search finds. */
  readonly targets: readonly (Target & {
    readonly project: { readonly slug: string };
    /** Where it is known. */
    readonly lastRelease?: { readonly version: string } | null;
  })[];
  readonly onAct: (action: Action) => void;
  readonly onClose: () => void;
}

/** One of the menus of triage, at its anchor. */
export function TriageMenu({ kind, ...props }: Props & { readonly kind: MenuKind }) {
  const Menu = menus[kind];
  return <Menu {...props} />;
}

const menus = { resolve: ResolveMenu, archive: ArchiveMenu, assign: AssignMenu, priority: PriorityMenu } as const;

function ArchiveMenu({ onAct, targets: _targets, ...rest }: Props) {
  return (
    <ComboboxAt
      {...rest}
      label={m.archiveTitle}
      placeholder={m.archivePlaceholder}
      optionsOf={archiveChoices}
      onChoose={({ action }) => onAct(action)}
    />
  );
}

const maxReleases = 20;

function ResolveMenu({ onAct, targets, ...rest }: Props) {
  const org = useOrg();
  const slugs = new Set(targets.map(({ project }) => project.slug));
  // A release belongs to projects: with several, not all of them have it.
  const [project] = slugs.size === 1 ? slugs : [];
  const { data, isPending } = useQuery({ ...releasesQuery(org, { project }), enabled: project !== undefined });
  const releases = (data?.releases ?? []).slice(0, maxReleases);
  const seenIn = targets.length === 1 ? targets[0]?.lastRelease?.version : undefined;
  return (
    <ComboboxAt
      {...rest}
      label={m.resolveTitle}
      placeholder={m.resolvePlaceholder}
      optionsOf={(typed) => resolveChoices(typed, releases, seenIn)}
      note={project !== undefined && isPending ? m.loadingReleases : undefined}
      onChoose={({ action }) => onAct(action)}
    />
  );
}

function PriorityMenu({ onAct, targets, ...rest }: Props) {
  const [first] = targets;
  const shared = targets.every((target) => target.priority === first?.priority) ? first?.priority : undefined;
  const choices = priorities.map((each): Choice => ({
    id: each,
    label: priorityNames[each],
    ...(each === shared && { current: true }),
    action: setPriority(each),
  }));
  return (
    <ComboboxAt
      {...rest}
      label={priority}
      placeholder={m.priorityPlaceholder}
      optionsOf={(typed) => choices.filter(({ label }) => isMeant(label, typed))}
      onChoose={({ action }) => onAct(action)}
    />
  );
}

function AssignMenu({ onAct, targets, ...rest }: Props) {
  const org = useOrg();
  const { user } = useSession();
  const [only] = targets;
  const members = useQuery(membersQuery(org));
  const teams = useQuery(teamsQuery(org));
  const owners = useQuery({ ...suggestedOwnersQuery(org, only?.id ?? ''), enabled: targets.length === 1 });
  const who = useMemo(
    () => ({
      me: { type: 'user', id: user.id, name: user.name, email: user.email } as const,
      people: (members.data ?? []).flatMap(({ user: person }): Assignee[] =>
        person ? [{ type: 'user', ...person }] : [],
      ),
      teams: (teams.data ?? []).map(({ id, slug }): Assignee => ({ type: 'team', id, name: slug })),
      suggested: (owners.data?.owners ?? []).map(({ type, id, name, email, slug, reasons }) => ({
        assignee: { type, id, name: slug ?? name, ...(email !== undefined && { email }) },
        why: reasons[0] ? reasonWords(reasons[0]) : m.suggested,
      })),
    }),
    [user, members.data, teams.data, owners.data],
  );
  const current = targets.every(({ assignedTo }) => assignedTo?.id === only?.assignedTo?.id) ? only?.assignedTo : null;
  const broken = members.isError || teams.isError;
  return (
    <ComboboxAt
      {...rest}
      label={m.assignTitle}
      empty={m.noAssignee}
      placeholder={m.assignPlaceholder}
      optionsOf={(typed) =>
        assignChoices(typed, { ...who, current: current ?? null }).map((choice) => ({
          ...choice,
          icon: choice.assignee && <Avatar who={choice.assignee} />,
        }))
      }
      note={broken ? m.membersFailed : undefined}
      onChoose={({ action }) => onAct(action)}
    />
  );
}

/** Why someone is suggested, in a few words. */
function reasonWords({
  kind,
  text,
  commit,
}: {
  readonly kind: 'rule' | 'codeowners' | 'commit';
  readonly text: string;
  readonly commit: string | null;
}): string {
  if (kind === 'commit') return commit ? m.suggestedByCommit({ commit: commit.slice(0, 7) }) : m.suggestedBySuspect;
  return kind === 'rule' ? m.suggestedByRule({ rule: text }) : m.suggestedByCodeowners({ rule: text });
}
