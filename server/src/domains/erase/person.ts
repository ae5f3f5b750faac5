/** Whom a request is about: exact values of what tells people apart, never a part of one. */
import { isIP } from 'node:net';
import { CodedError } from '../../base/errors.ts';
import { type SoughtText, soughtText } from '../../base/sought-text.ts';
import { erase as texts } from '../../base/texts/erase.ts';

export const identifierKinds = ['id', 'email', 'name', 'ip'] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

interface Identifier {
  readonly kind: IdentifierKind;
  readonly value: string;
}

/** An event by its id, 32 hex digits, in one project. */
export interface EventTarget {
  readonly projectId: number;
  readonly eventId: string;
}

/** What a request is about; kept sealed until it is over. */
export interface About {
  readonly person: readonly Identifier[];
  readonly event?: EventTarget | undefined;
  /** All of the organisation unless given. */
  readonly projectIds?: readonly number[] | undefined;
  /** Whether what only names the person in a text is theirs as well. */
  readonly mentions: boolean;
  /** 32 random hex digits: of the hashes by which statements name rows. */
  readonly key: string;
}

export const maxIdentifiers = 10;
const longest = 400;

/** What applications write where they know nobody: thousands of people would go with it. */
const nobody: ReadonlySet<string> = new Set(texts.unknownUsers);
const sharedAddress = /^(?:0\.|127\.|255\.255\.255\.255$|::1?$|::ffff:127\.)/;
const mail = /^[^\s@"'<>(),;:\\]+@[^\s@"'<>(),;:\\]+\.[^\s@"'<>(),;:\\.]+$/;

/** Throws `CodedError('INPUT_INVALID')` for what is empty, or could be of many. */
export function checkIdentifier({ kind, value }: Identifier): Identifier {
  const trimmed = value.trim();
  const refuse = (why: string): never => {
    throw new CodedError('INPUT_INVALID', [why]);
  };
  if (trimmed === '' || trimmed.length > longest) refuse(texts.empty(kind, longest));
  if (/[*%]|\p{Cc}/u.test(trimmed)) refuse(texts.pattern(kind));
  if (nobody.has(trimmed.toLowerCase()) || !/[\p{L}\p{N}]/u.test(trimmed)) refuse(texts.ofNobody(trimmed));
  if (kind === 'email' && !mail.test(trimmed)) refuse(texts.noMail);
  if (kind === 'ip' && (isIP(trimmed) === 0 || sharedAddress.test(trimmed))) refuse(texts.noAddress);
  if (kind === 'name' && trimmed.length < 2) refuse(texts.empty(kind, longest));
  return { kind, value: kind === 'email' || kind === 'ip' ? trimmed.toLowerCase() : trimmed };
}

/** Shorter ids and names say too little where they stand in a text. */
const distinctLength = 8;

/** Whether it is looked for in texts, too; others in the fields of users alone. */
export const isDistinct = ({ kind, value }: Identifier): boolean =>
  kind === 'email' || kind === 'ip' || value.length >= distinctLength;

const natures = { email: 'mail', ip: 'address', id: 'word', name: 'word' } as const;

export const soughtOf = (person: readonly Identifier[]): SoughtText[] =>
  person.filter(isDistinct).map(({ kind, value }) => soughtText(value, natures[kind]));

/** As the columns `user` have it. */
export const userTexts = (person: readonly Identifier[]): string[] =>
  person.map(({ kind, value }) => `${kind === 'name' ? 'username' : kind}:${value}`);
