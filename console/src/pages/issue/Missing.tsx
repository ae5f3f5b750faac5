import { Link } from '@tanstack/react-router';
import * as m from '../../messages/issue-missing.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { NotFoundIcon } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/State.tsx';

type Props = { readonly issue: string } | { readonly event: 'filtered' | 'deleted' };

/** In the place of an issue, by the name that the address has for it, or of its event. */
export function Missing(props: Props) {
  return 'issue' in props ? <MissingIssue id={props.issue} /> : <MissingEvent filtered={props.event === 'filtered'} />;
}

function MissingIssue({ id }: { readonly id: string }) {
  return (
    <EmptyState level={1} title={m.notFound({ id })} icon={<NotFoundIcon size={24} />}>
      <p>{m.notFoundHint}</p>
      <Link to="/issues" className={buttonClass()}>
        {m.goToIssues}
      </Link>
    </EmptyState>
  );
}

function MissingEvent({ filtered }: { readonly filtered: boolean }) {
  return (
    <EmptyState title={filtered ? m.noEventMatches : m.eventDeleted} icon={<NotFoundIcon size={24} />}>
      <p>{filtered ? m.noEventMatchesHint : m.eventDeletedHint}</p>
      <Link
        from="/issues/$issue"
        to="."
        search={(before) => ({ ...before, event: undefined, q: undefined })}
        className={buttonClass()}
      >
        {m.showRecommended}
      </Link>
    </EmptyState>
  );
}
