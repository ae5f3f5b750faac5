import * as m from '../../messages/triage.ts';
import { assigneeName, type Assignee } from './actions.ts';

/** Apart from the avatar, which pages show that assign nothing. */
export const assignedTip = (who: Assignee | null): string =>
  who ? m.assignedTo({ name: assigneeName(who) }) : m.unassigned;
