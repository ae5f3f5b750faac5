import { Link } from '@tanstack/react-router';
import { SettingsIcon } from '../../ui/icons.ts';
import { platformName } from '../../features/projects/platforms.ts';
import type { Project } from '../../features/projects/queries.ts';
import * as m from '../../messages/projects.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

type Shown = Pick<
  Project,
  'slug' | 'name' | 'isInternal' | 'platform' | 'dateCreated' | 'firstEvent' | 'firstTransactionEvent'
>;

/** A project that leads to its issues, and to its setup while nothing has arrived. */
export function ProjectRow({ project }: { readonly project: Shown }) {
  const { slug, name, isInternal, platform, dateCreated, firstEvent, firstTransactionEvent } = project;
  return (
    <DataRow
      title={
        <Link to="/issues" search={{ project: slug }} className={rowLinkClass} translate="no">
          {name}
        </Link>
      }
      facts={
        <Facts>
          <code>{slug}</code>
          {isInternal && m.internal}
          {platform && platformName(platform)}
          {m.created({ when: <Time at={dateCreated} /> })}
        </Facts>
      }
      end={
        firstEvent === null &&
        !firstTransactionEvent && (
          <Link to="/projects/$slug/setup" params={{ slug }}>
            <Flag kind="regressed">{m.waiting}</Flag>
          </Link>
        )
      }
      actions={
        <Link
          to="/projects/$slug/settings"
          params={{ slug }}
          className={buttonClass('ghost', 'small')}
          aria-label={m.settingsOf({ project: name })}
        >
          <SettingsIcon size={14} /> {m.settings}
        </Link>
      }
    />
  );
}
