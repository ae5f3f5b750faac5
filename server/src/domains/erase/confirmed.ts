/** What somebody has to give again before anything is erased. */
import { CodedError } from '../../base/errors.ts';
import { erase as texts } from '../../base/texts/erase.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { State } from '../../ports/state/state.ts';
import { listProjects, refuseHeld } from '../projects/index.ts';
import type { About } from './person.ts';
import { type Erasure, openAbout } from './requests.ts';
import { countOf, mostMatched } from './run.ts';

/**
 * Throws `ERASURE_STATE` where it was not found, or its key is lost; `INPUT_INVALID` where `typed` is none of its values;
 * `ERASURE_REFUSED` where it matches too much; `PROJECT_HELD`.
 */
export async function checkConfirmed(state: State, box: TextBox, request: Erasure, typed: string): Promise<void> {
  const about = openAbout(box, request);
  if (request.state !== 'found' || !about) throw new CodedError('ERASURE_STATE', [request.state]);
  const values = about.event ? [about.event.eventId] : about.person.map(({ value }) => value);
  const given = typed.trim();
  const forms = [given, given.toLowerCase(), given.toLowerCase().replaceAll('-', '')];
  if (!forms.some((form) => values.includes(form))) throw new CodedError('INPUT_INVALID', [texts.otherConfirmation]);
  const matched = request.found ? countOf(request.found) : 0;
  if (matched > mostMatched) throw new CodedError('ERASURE_REFUSED', [texts.tooManyMatched(matched, mostMatched)]);
  await refuseHeld(state, await projectsOf(state, request, about));
}

async function projectsOf(state: State, { organizationId }: Erasure, about: About): Promise<readonly number[]> {
  if (about.event) return [about.event.projectId];
  return about.projectIds ?? (await listProjects(state, organizationId)).map(({ id }) => id);
}
