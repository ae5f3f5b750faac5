/** Secrets of providers and of sign-ins under way: sealed in the state store, each for its place. */
import { isSealedText, type TextBox } from '../../base/secrets/index.ts';
import { type Kind, kindFacts, type Settings } from './kinds.ts';

export interface ProviderPlace {
  readonly id: string;
  readonly kind: Kind;
}

const placeOf = ({ id }: ProviderPlace, key: string): string => `sign-in provider ${id} ${key}`;

export function sealSettings(box: TextBox, place: ProviderPlace, settings: Settings): Settings {
  const { secrets } = kindFacts[place.kind];
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      secrets.includes(key) ? box.seal(value, placeOf(place, key)) : value,
    ]),
  );
}

/** What was sealed with a key that is gone is left out. */
export function openSettings(box: TextBox, place: ProviderPlace, settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => {
      const opened = isSealedText(value) ? box.open(value, placeOf(place, key)) : value;
      return opened === undefined ? [] : [[key, opened]];
    }),
  );
}
