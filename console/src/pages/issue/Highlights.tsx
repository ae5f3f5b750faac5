import { termText } from '@culprit/search';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FilterIcon } from '../../ui/icons.ts';
import { highlights } from '../../features/event/highlights.ts';
import type { Event } from '../../features/event/types.ts';
import { toggleTerm } from '../../features/issues/query-terms.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import styles from './Highlights.module.css';
import { Panel } from '../../ui/Panel.tsx';

const route = getRouteApi('/shell/issues/$issue');

export function Highlights({ event, filter }: { readonly event: Event; readonly filter: string }) {
  const navigate = route.useNavigate();
  const rows = highlights(event);
  const known = new Set(event.tags.map((tag) => `${tag.key}\n${tag.value}`));
  if (rows.length === 0) return null;
  return (
    <Panel title="Highlights" id="highlights">
      <dl>
        {rows.map(({ label, value, tag }) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>
              <span className={styles.value} title={value}>
                {tag === 'release' ? (
                  <Link to="/releases/$version" params={{ version: value }}>
                    {value}
                  </Link>
                ) : (
                  value
                )}
              </span>
              <span className={styles.tools}>
                {tag && known.has(`${tag}\n${value}`) && (
                  <IconButton
                    size="small"
                    label={`Only events with this ${label.toLowerCase()}`}
                    icon={<FilterIcon size={14} />}
                    onClick={() =>
                      void navigate({
                        search: (before) => ({
                          ...before,
                          q: toggleTerm(filter, termText(tag, value)) || undefined,
                          event: undefined,
                        }),
                      })
                    }
                  />
                )}
                <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
