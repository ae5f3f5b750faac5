/** Actions of Sentry's clients as channels: by ID, by name, or by whom a mail goes to. */
import { CodedError } from '../../base/errors.ts';
import { clientRules as texts } from '../../base/texts/client-alerts.ts';
import type { Channel } from '../../domains/notify/index.ts';
import type { People } from '../../domains/teams/index.ts';
import type { ActionRequest } from './clients-changes-contract.ts';

export interface ActionPlace {
  readonly channels: readonly Channel[];
  readonly people: People;
}

/** Kinds by their names there, and by the names of the classes that older rules have. */
const kinds: readonly (readonly [RegExp, Channel['type']])[] = [
  [/^email$|\.mail\./, 'email'],
  [/^(?:ms)?teams$|\.msteams\./, 'teams'],
  [/^webhook$|notify_event_service/, 'webhook'],
  [/^slack$|\.slack\./, 'slack'],
  [/^discord$|\.discord\./, 'discord'],
  [/^pagerduty$|\.pagerduty\./, 'pagerduty'],
  [/^opsgenie$|\.opsgenie\./, 'opsgenie'],
  [/^mattermost$/, 'mattermost'],
  [/^telegram$/, 'telegram'],
];

const listed = 10;

const named = (channels: readonly Channel[]): string[] =>
  channels.slice(0, listed).map(({ id, name, type }) => `${id} (${name}, ${type})`);

/** IDs of channels. Throws `INPUT_INVALID` for what no channel is. */
export function readActions(actions: readonly ActionRequest[], place: ActionPlace, at: string): number[] {
  return [...new Set(actions.map((action, index) => channelOf(action, place, `${at}[${index}]`)))];
}

function channelOf(action: ActionRequest, place: ActionPlace, at: string): number {
  const given = action.type ?? action.id ?? '';
  const kind = kinds.find(([pattern]) => pattern.test(given))?.[1];
  if (!kind) throw new CodedError('INPUT_INVALID', [texts.actionKind(at, given, named(place.channels))]);
  const { targetType, targetIdentifier, targetDisplay } = { ...action, ...action.config };
  const target = targetType?.toLowerCase();
  if (kind === 'email' && target) {
    if (target === 'issueowners' || target === 'issue_owners') {
      throw new CodedError('INPUT_INVALID', [texts.owners(at)]);
    }
    if (target === 'user' || target === 'member' || target === 'team') {
      return channelTo(target === 'team', targetIdentifier ?? '', place, at);
    }
  }
  const wanted = [targetIdentifier, targetDisplay].filter((one) => one != null && one !== '');
  const ofKind = place.channels.filter(({ type }) => type === kind);
  const found =
    ofKind.find(({ id }) => String(id) === targetIdentifier) ??
    ofKind.find(({ name }) => wanted.some((one) => one === name)) ??
    // One webhook of one is not worth a name.
    (wanted.length === 0 && ofKind.length === 1 ? ofKind[0] : undefined);
  if (found) return found.id;
  throw new CodedError('INPUT_INVALID', [texts.channel(at, kind, wanted.join(' / '), named(place.channels))]);
}

/** The email channel that writes to a member or a team, and to nobody else. */
function channelTo(isTeam: boolean, id: string, { channels, people: { members, teams } }: ActionPlace, at: string) {
  const team = isTeam ? teams.find((one) => String(one.id) === id || one.slug === id) : undefined;
  const ids = isTeam ? team?.members : [id];
  const persons = members.filter(({ userId }) => ids?.includes(userId));
  if (isTeam ? !team : !persons.length) throw new CodedError('INPUT_INVALID', [texts.recipient(at, id)]);
  const addresses = new Set(persons.map(({ email }) => email.toLowerCase()));
  const found = channels.find(({ type, config }) => {
    const to = new Set([config['to'] ?? []].flat().map((one) => one.toLowerCase()));
    return type === 'email' && to.size === addresses.size && [...to].every((one) => addresses.has(one));
  });
  if (found) return found.id;
  const whom = team?.name ?? persons[0]?.name ?? id;
  throw new CodedError('INPUT_INVALID', [texts.addresses(at, whom, [...addresses].slice(0, listed))]);
}
