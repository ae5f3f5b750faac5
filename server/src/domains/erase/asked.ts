/** What is asked for, as people give it: by the API and by the command line. */
import { randomBytes } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { erase as texts } from '../../base/texts/erase.ts';
import { things } from '../../base/texts/things.ts';
import { type About, checkIdentifier, type IdentifierKind } from './person.ts';

export interface Asked {
  readonly person?: readonly { readonly kind: IdentifierKind; readonly value: string }[] | undefined;
  readonly event?: { readonly project: string; readonly id: string } | undefined;
  /** Slugs; all unless given. */
  readonly project?: readonly string[] | undefined;
  readonly mentions: boolean;
}

/** `projects`: those that who asks can see. Throws `INPUT_INVALID` for what could be of many, `NOT_FOUND`. */
export function readAsked(
  { person = [], event, project = [], mentions }: Asked,
  projects: readonly { readonly id: number; readonly slug: string }[],
): About {
  const refuse = (why: string): never => {
    throw new CodedError('INPUT_INVALID', [why]);
  };
  if (person.length === 0 ? !event : event) refuse(texts.nothing);
  const idOf = (slug: string): number => {
    const found = projects.find((one) => one.slug === slug);
    if (!found) throw new CodedError('NOT_FOUND', [things.project(slug)]);
    return found.id;
  };
  const eventId = event?.id.trim().toLowerCase().replaceAll('-', '') ?? '';
  if (event && !/^[0-9a-f]{32}$/.test(eventId)) refuse(texts.event);
  return {
    person: person.map(checkIdentifier),
    ...(event && { event: { projectId: idOf(event.project), eventId } }),
    ...(project.length > 0 && { projectIds: project.map(idOf) }),
    mentions,
    key: randomBytes(16).toString('hex'),
  };
}
