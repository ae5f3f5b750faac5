/** Configurations of channels: checked when they come, masked when they go. */
import { CodedError } from '../../base/errors.ts';
import { channels as texts } from '../../base/texts/outbound.ts';
import { type ChannelKind, EmailConfig, httpKinds, leaveOtherWay } from './channels/index.ts';
import type { ChannelType } from './types.ts';
import { invalid } from '../../base/texts/validation.ts';

export type ChannelConfig = Readonly<Record<string, string | readonly string[]>>;

const partsOf = (type: ChannelType): Pick<ChannelKind, 'config' | 'secrets' | 'addresses'> =>
  type === 'email' ? { config: EmailConfig, secrets: [], addresses: [] } : httpKinds[type];

/** Names of those parts of a configuration that nobody may read. */
export const secretsOfChannel = (type: ChannelType): readonly string[] => partsOf(type).secrets;

/**
 * The configuration as the kind reads it. With `before`, what is left out or empty stays as it is, but secrets must come
 * again when the address changes that they are sent to. Throws `INPUT_INVALID` in words.
 */
export function checkConfig(type: ChannelType, sent: ChannelConfig, before?: ChannelConfig): ChannelConfig {
  const { config, secrets, addresses } = partsOf(type);
  const filled = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
  const moved = before && addresses.find((key) => filled[key] !== undefined && filled[key] !== before[key]);
  const missing = moved && secrets.find((key) => before[key] !== undefined && filled[key] === undefined);
  if (missing) throw new CodedError('INPUT_INVALID', [texts.enterAgain(missing, moved ?? '')]);
  const parsed = config.safeParse(before ? mergeConfig(type, before, filled) : filled);
  if (parsed.success) return parsed.data as ChannelConfig;
  const [issue] = parsed.error.issues;
  throw new CodedError('INPUT_INVALID', [`${issue?.path.join('.') || type}: ${issue?.message ?? invalid.unreadable}`]);
}

const mergeConfig = (type: ChannelType, before: ChannelConfig, sent: ChannelConfig): ChannelConfig => ({
  ...(type === 'slack' ? leaveOtherWay(before, sent) : before),
  ...sent,
});

/** With secrets cut down to what tells one from another. */
export function maskConfig(type: ChannelType, config: ChannelConfig): Record<string, string | string[]> {
  const { secrets } = partsOf(type);
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      typeof value === 'string' ? (secrets.includes(key) ? maskSecret(value) : value) : [...value],
    ]),
  );
}

export function maskSecret(secret: string): string {
  const end = secret.length > 12 ? secret.slice(-4) : '';
  return URL.canParse(secret) && /^https?:/.test(secret) ? `${new URL(secret).origin}/…${end}` : `…${end}`;
}

/** Words of a receiver without the secrets of the channel: one that leads on names the address that it was called at. */
export function hideSecrets(type: ChannelType, config: ChannelConfig, text: string): string {
  const hidden = partsOf(type).secrets.flatMap((key) => {
    const secret = config[key];
    if (typeof secret !== 'string') return [];
    if (!URL.canParse(secret)) return secret;
    const { href, pathname, search } = new URL(secret);
    return [secret, href, ...(pathname.length > 1 ? [`${pathname}${search}`, pathname] : [])];
  });
  return hidden.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '…')), text);
}
