import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { UndoIcon } from '../../ui/icons.ts';
import { useOrg } from '../../features/session/organization.ts';
import { deleteTombstone, tombstonesQuery } from '../../features/triage/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Card, Section } from '../../ui/Page.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './DiscardedSection.module.css';

/** What is dropped when it arrives, since somebody has discarded its issue. Left out where nothing is. */
export function DiscardedSection({ slug }: { readonly slug: string }) {
  const org = useOrg();
  const queries = useQueryClient();
  const options = tombstonesQuery(org, slug);
  const { data = [] } = useQuery(options);
  const takeAgain = useMutation({
    mutationFn: (id: string) => deleteTombstone(org, slug, id),
    onSuccess: () => toast('Its events are taken again. The next one makes a new issue.'),
    onError: (error) => toast(`This could not be changed: ${error.message}`, { kind: 'failed' }),
    onSettled: () => queries.invalidateQueries({ queryKey: options.queryKey }),
  });
  if (data.length === 0) return null;
  return (
    <Section
      title="Discarded issues"
      note="Further events of these are dropped when they arrive, and counted as filtered."
    >
      <Card>
        <ul>
          {data.map(({ id, shortId, title, culprit, actor, dateCreated }) => (
            <li key={id} className={styles.row}>
              <div className={styles.what}>
                <p className={styles.title}>{title}</p>
                <p className={styles.facts}>
                  {shortId}
                  {culprit && ` · ${culprit}`} · discarded <Time at={dateCreated} />
                  {actor && ` by ${actor.name || actor.email}`}
                </p>
              </div>
              <Button
                size="small"
                icon={<UndoIcon size={14} />}
                aria-label={`Take events of ${shortId} again`}
                busy={takeAgain.isPending && takeAgain.variables === id}
                onClick={() => takeAgain.mutate(id)}
              >
                Take again
              </Button>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
