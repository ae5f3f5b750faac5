import { Empty } from '../../features/places/Empty.tsx';
import { eventDeleted, noEventMatches, notFound } from './empty.ts';

type Props = { readonly issue: string } | { readonly event: 'filtered' | 'deleted' };

/** In the place of an issue, by the name that the address has for it, or of its event. */
export function Missing(props: Props) {
  if ('issue' in props) return <Empty of={notFound} values={{ id: props.issue }} />;
  return <Empty of={props.event === 'filtered' ? noEventMatches : eventDeleted} />;
}
