import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AlertRule, suggestionsQuery } from '../../features/alerts/queries.ts';
import { channelsQuery } from '../../features/channels/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import styles from './AlertsPage.module.css';

/** Rules to begin with, one click away; those that are there already are left out. */
export function Suggestions({
  project,
  taken,
}: {
  readonly project: string | undefined;
  readonly taken: readonly AlertRule[];
}) {
  const org = useOrg();
  const { data = [] } = useQuery(suggestionsQuery(org, project));
  const { data: channels } = useQuery(channelsQuery(org));
  const sentences = new Set(taken.map(({ sentence }) => sentence));
  const offered = data.filter(
    ({ sentence, rule }) => !sentences.has(sentence) && !taken.some(({ name }) => name === rule.name),
  );
  if (!offered.length) return null;
  return (
    <section className={styles.suggestions} aria-labelledby="alerts-suggestions">
      <h2 id="alerts-suggestions">Ready-made</h2>
      {channels?.length === 0 && (
        <p className={styles.missing}>
          There is no channel yet, so rules would notify no one. <Link to="/settings/channels">Add one</Link>: e-mail,
          Slack, PagerDuty and others.
        </p>
      )}
      <ul>
        {offered.map(({ id, title, why, sentence }) => (
          <li key={id}>
            <div>
              <h3>{title}</h3>
              <p>{why}</p>
              <p className={styles.sentence}>{sentence}</p>
            </div>
            <Link to="/alerts/new" search={{ suggestion: id }} className={buttonClass()}>
              Use<span className="visually-hidden"> “{title}”</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
