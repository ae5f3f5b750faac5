import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
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
  /** What is to be changed; none where it is everything that a search finds. */
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
      label="Archive until"
      placeholder="Until… 500 events, 20 users, 3 d, 50 in 1 h"
      optionsOf={archiveChoices}
      onChoose={({ action }) => onAct(action)}
    />
  );
}

const maxReleases = 20;

function ResolveMenu({ onAct, targets, ...rest }: Props) {
  const org = useOrg();
  const slugs = new Set(targets.map(({ project }) => project.slug));
  // A release belongs to projects: those of several are not theirs all.
  const [project] = slugs.size === 1 ? slugs : [];
  const { data, isPending } = useQuery({ ...releasesQuery(org, { project }), enabled: project !== undefined });
  const releases = (data?.releases ?? []).slice(0, maxReleases);
  const seenIn = targets.length === 1 ? targets[0]?.lastRelease?.version : undefined;
  return (
    <ComboboxAt
      {...rest}
      label="Resolve in"
      placeholder="In… a release, or a commit"
      optionsOf={(typed) => resolveChoices(typed, releases, seenIn)}
      note={project !== undefined && isPending ? 'Asking for the releases…' : undefined}
      onChoose={({ action }) => onAct(action)}
    />
  );
}

function PriorityMenu({ onAct, targets, ...rest }: Props) {
  const [first] = targets;
  const shared = targets.every(({ priority }) => priority === first?.priority) ? first?.priority : undefined;
  const choices = priorities.map((priority): Choice => ({
    id: priority,
    label: priority[0]?.toUpperCase() + priority.slice(1),
    ...(priority === shared && { current: true }),
    action: setPriority(priority),
  }));
  return (
    <ComboboxAt
      {...rest}
      label="Priority"
      placeholder="Priority…"
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
        why: reasons[0] ? reasonWords(reasons[0]) : 'suggested',
      })),
    }),
    [user, members.data, teams.data, owners.data],
  );
  const current = targets.every(({ assignedTo }) => assignedTo?.id === only?.assignedTo?.id) ? only?.assignedTo : null;
  const broken = members.isError || teams.isError;
  return (
    <ComboboxAt
      {...rest}
      label="Assign to"
      empty="Nothing of this name."
      placeholder="Assign to… a person or a team"
      optionsOf={(typed) =>
        assignChoices(typed, { ...who, current: current ?? null }).map((choice) => ({
          ...choice,
          icon: choice.assignee && <Avatar who={choice.assignee} />,
        }))
      }
      note={broken ? 'Not everybody is listed: the members could not be loaded.' : undefined}
      onChoose={({ action }) => onAct(action)}
    />
  );
}

/** Why somebody is suggested, in a few words. */
function reasonWords({
  kind,
  text,
  commit,
}: {
  readonly kind: 'rule' | 'codeowners' | 'commit';
  readonly text: string;
  readonly commit: string | null;
}): string {
  if (kind === 'commit') return `wrote ${commit?.slice(0, 7) ?? 'a suspect commit'}`;
  return kind === 'rule' ? `rule ${text}` : `CODEOWNERS ${text}`;
}
