import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { isOffered, runCommand } from '../features/commands/commands.ts';
import { allCommands, labelOf, placeOf, scopeOf } from '../features/commands/labels.ts';
import { type CommandId, keyOf } from '../features/commands/shortcuts.ts';
import { stopKeeping } from '../ui/typing.ts';
import { askable, isTelling } from '../features/find/pasted.ts';
import { freshSearch } from '../features/find/places.ts';
import { places } from '../features/places/places.ts';
import { projectsQuery } from '../features/projects/queries.ts';
import { useOrg } from '../features/session/organization.ts';
import * as m from '../messages/palette.ts';
import type { ComboboxOption } from '../ui/combobox-option.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { CommandIcon, IssuesIcon, ProjectIcon, SearchIcon, SearchIssuesIcon, SettingsIcon } from '../ui/icons.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { OptionList } from '../ui/OptionList.tsx';

interface Choice extends ComboboxOption {
  readonly run: () => void;
}

/** What makes no sense from here: to open this, and to walk. */
const unlisted: ReadonlySet<CommandId> = new Set(['palette', 'find', 'list.next', 'list.previous', 'list.open']);

/** More than a page offers. */
const maxShown = 80;

/** Commands that work here, pages of settings, projects, and whatever was typed or pasted as something to find. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const router = useRouter();
  const org = useOrg();
  const { data: projects = [] } = useQuery(projectsQuery(org));
  const [text, setText] = useState('');
  // What is pasted leads there, and on to an issue: their code comes while it is pasted.
  useEffect(() => {
    for (const route of ['/shell/find', '/shell/issues/$issue'] as const)
      router.loadRouteChunk(router.routesById[route])?.catch(() => undefined);
  }, [router]);
  const input = useRef<HTMLInputElement>(null);
  const typed = text.trim();
  const find = (asked: string): void => void navigate({ to: '/find', search: freshSearch(askable(asked)) });
  const words = typed.toLowerCase().split(/\s+/);
  const matches = (label: string): boolean => words.every((word) => label.toLowerCase().includes(word));

  const offered = allCommands.filter((command) => !unlisted.has(command) && isOffered(command));
  const isGeneral = (command: CommandId): number => Number(scopeOf(command) === 'Everywhere');
  // Before anything is typed, what can be done with the page goes before what works everywhere.
  const commands = (typed === '' ? offered.toSorted((a, b) => isGeneral(a) - isGeneral(b)) : offered).map(
    (command): Choice => {
      const keys = keyOf(command);
      const place = placeOf(command);
      const Icon = place === undefined ? CommandIcon : places[place].icon;
      return {
        id: command,
        label: labelOf(command),
        icon: <Icon size={14} />,
        ...(keys && { end: <Kbd keys={keys} /> }),
        // The dialog gives focus back while it closes; the command acts after that.
        run: () => setTimeout(() => runCommand(command)),
      };
    },
  );
  const ofProjects: Choice[] = projects.flatMap((project) => [
    {
      id: `project-${project.id}`,
      label: m.issuesOf({ project: project.name }),
      icon: <ProjectIcon size={14} />,
      run: () => void navigate({ to: '/issues', search: { project: project.slug } }),
    },
    {
      id: `settings-${project.id}`,
      label: m.settingsOf({ project: project.name }),
      icon: <SettingsIcon size={14} />,
      run: () => void navigate({ to: '/projects/$slug/settings', params: { slug: project.slug } }),
    },
    {
      id: `ownership-${project.id}`,
      label: m.ownershipOf({ project: project.name }),
      icon: <ProjectIcon size={14} />,
      run: () => void navigate({ to: '/projects/$slug/settings/ownership', params: { slug: project.slug } }),
    },
  ]);
  const shortId = /^[A-Za-z][\w-]*-\d+$/.test(typed) ? typed.toUpperCase() : undefined;
  const finding: Choice = {
    id: 'find-text',
    label: m.find({ text: typed }),
    icon: <SearchIcon size={14} />,
    run: () => find(typed),
  };
  // A digest or an id is no command: Enter finds it.
  const telling = !shortId && isTelling(typed);
  const found: Choice[] = [
    ...(shortId
      ? [
          {
            id: 'short-id',
            label: m.open({ id: shortId }),
            icon: <IssuesIcon size={14} />,
            run: () => void navigate({ to: '/issues/$issue', params: { issue: shortId } }),
          },
        ]
      : []),
    ...(telling ? [finding] : []),
    ...[...commands, ...ofProjects].filter((choice) => matches(choice.label)),
    ...(typed
      ? [
          ...(telling ? [] : [finding]),
          {
            id: 'search',
            label: m.searchIssues({ text: typed }),
            icon: <SearchIssuesIcon size={14} />,
            run: () => void navigate({ to: '/issues', search: { q: typed, status: 'all' } }),
          },
        ]
      : []),
  ].slice(0, maxShown);

  const choose = (choice: Choice): void => {
    onClose();
    choice.run();
  };

  const latest = useRef(found);
  useEffect(() => {
    latest.current = found;
  });
  /** What was typed before the box was there. */
  const take = (): void => {
    const kept = stopKeeping();
    setText((before) => before + kept.text);
    // Of what is found for it once that is drawn.
    setTimeout(() => {
      const [first] = latest.current;
      if (kept.isSent && first) choose(first);
    });
  };

  return (
    <Dialog title={m.title} titleHidden size="palette" initialFocus={input} onClose={onClose}>
      <OptionList
        large
        ref={input}
        label={m.label}
        placeholder={m.placeholder}
        typed={text}
        options={found}
        empty={m.empty}
        onType={setText}
        onChoose={choose}
        onFocus={take}
        onPaste={(event) => {
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          const pasted = event.clipboardData.getData('text/plain');
          if ((selectionEnd ?? 0) - (selectionStart ?? 0) < value.length || !isTelling(pasted)) return;
          event.preventDefault();
          onClose();
          find(pasted);
        }}
      />
    </Dialog>
  );
}
