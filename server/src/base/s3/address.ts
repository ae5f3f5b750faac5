/**
 * Where objects lie on S3, as one address:
 *
 *     s3://[ACCESS_KEY:SECRET@]host[:port]/bucket[/prefix][?region=…&tls=on|off&path-style=on|off]
 *     s3:///bucket[/prefix]                    AWS itself
 */
import { s3Address as texts } from '../texts/stores.ts';

export interface S3Address {
  /** With its port; undefined for AWS itself. */
  readonly host: string | undefined;
  readonly bucket: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  readonly region: string;
  readonly tls: boolean;
  /** Whether the bucket stands in the path, and not in the name of the host. */
  readonly pathStyle: boolean;
  /** Undefined where AWS gives the machine its own, or nothing was set. */
  readonly credentials: { readonly key: string; readonly secret: string; readonly token?: string } | undefined;
  /** Says where, and nothing secret. */
  readonly place: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const isS3 = (text: string): boolean => /^s3:\/\//i.test(text);

// A secret may have slashes in it, so its end is the last `@`.
const pattern = /^s3:\/\/(?:([^:@/]*):(.*)@)?([^/?#@]*)\/([^/?#]+)((?:\/[^?#]*)?)(?:\?([^#]*))?$/is;
const bucketName = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i;
const hostName = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;
const prefixName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/** Throws `RangeError` with what is wrong, and repeats none of it: a wrong address may have its secret anywhere. */
export function parseS3Address(text: string, environment: Environment = process.env): S3Address {
  const match = pattern.exec(text.trim());
  if (!match) throw new RangeError(texts.form);
  const [, urlKey, urlSecret, host = '', bucket = '', path = '', query = ''] = match;
  if (host && !hostName.test(host)) throw new RangeError(texts.host);
  if (!bucketName.test(bucket)) throw new RangeError(texts.bucket);
  const folders = path.split('/').filter(Boolean);
  if (!folders.every((name) => prefixName.test(name))) throw new RangeError(texts.prefix);
  const options = optionsOf(query);
  const isAws = host === '' || /\.amazonaws\.com(?::\d+)?$/i.test(host);
  const credentials = credentialsOf(urlKey, urlSecret, environment);
  if (!credentials && !isAws) throw new RangeError(texts.credentials);
  const tls = options.get('tls') !== 'off';
  return {
    host: host || undefined,
    bucket,
    prefix: folders.map((name) => `${name}/`).join(''),
    region: options.get('region') || environment.AWS_REGION || environment.AWS_DEFAULT_REGION || 'us-east-1',
    tls,
    pathStyle: options.has('path-style') ? options.get('path-style') === 'on' : !isAws,
    credentials,
    place: `s3://${[host, bucket, ...folders].join('/')}`,
  };
}

/** The address of it, for a process with another environment; a token cannot stand in it. */
export function urlOf({ host, bucket, prefix, region, tls, pathStyle, credentials }: S3Address): string {
  const who = credentials ? `${encodeURIComponent(credentials.key)}:${encodeURIComponent(credentials.secret)}@` : '';
  const options = new URLSearchParams({ region, tls: tls ? 'on' : 'off', 'path-style': pathStyle ? 'on' : 'off' });
  return `s3://${who}${host ?? ''}/${bucket}/${prefix}?${options.toString()}`;
}

function optionsOf(query: string): URLSearchParams {
  const options = new URLSearchParams(query);
  for (const [name, value] of options) {
    const isKnown =
      name === 'region'
        ? /^[a-z0-9-]{1,64}$/i.test(value)
        : ['tls', 'path-style'].includes(name) && /^o(?:n|ff)$/.test(value);
    if (!isKnown) throw new RangeError(texts.option);
  }
  return options;
}

function credentialsOf(key: string | undefined, secret: string | undefined, environment: Environment) {
  if (key !== undefined && secret !== undefined) {
    if (!key || !secret) throw new RangeError(texts.credentials);
    return { key: decoded(key), secret: decoded(secret) };
  }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return undefined;
  return {
    key: AWS_ACCESS_KEY_ID,
    secret: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { token: AWS_SESSION_TOKEN }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
