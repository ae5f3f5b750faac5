/** What an object store says when it fails or refuses, as why and what to do. */
import { CodedError } from '../errors.ts';
import { objects as texts } from '../texts/stores.ts';
import type { S3Address } from './address.ts';

interface Said {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const said = (error: unknown): Said => (typeof error === 'object' && error !== null ? error : {});
const status = (error: unknown): number | undefined => said(error).$metadata?.httpStatusCode;

/** By name alone: a wrong key or a missing bucket may answer 404 as well. */
export const isMissingObject = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(said(error).name ?? '');

export const isPastEnd = (error: unknown): boolean => status(error) === 416 || said(error).name === 'InvalidRange';

export const isConditionFailed = (error: unknown): boolean =>
  status(error) === 412 || said(error).name === 'ConditionalRequestConflict';

export function objectsFailure(error: unknown, address: S3Address): CodedError {
  if (error instanceof CodedError) return error;
  return new CodedError('OBJECTS_UNAVAILABLE', [address.place, reasonOf(error, address)], { cause: error });
}

function reasonOf(error: unknown, { bucket, host, region }: S3Address): string {
  const { name = '', code = '', message = '' } = said(error);
  const server = host ?? 'AWS';
  const known = [name, code].flatMap((word) => reasons[word] ?? []).at(0);
  if (known) return known({ bucket, server, region });
  if (/^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO)/.test(code)) {
    return texts.certificate(server, code);
  }
  if (status(error) === 403) return texts.denied(bucket);
  if (status(error) === 301) return texts.region(bucket, region);
  if (status(error) === 507) return texts.full(server);
  if ((status(error) ?? 0) >= 500) return texts.busy(server, name || String(status(error)));
  return texts.other(message || name || code || String(error));
}

interface Named {
  readonly bucket: string;
  readonly server: string;
  readonly region: string;
}

const missing = ({ bucket }: Named): string => texts.bucket(bucket);
const denied = ({ bucket }: Named): string => texts.denied(bucket);
const key = (): string => texts.key;
const region = (named: Named): string => texts.region(named.bucket, named.region);
const unknownHost = ({ server }: Named): string => texts.unknownHost(server);
const silent = ({ server }: Named): string => texts.silent(server);
const broken = ({ server }: Named): string => texts.broken(server);

/** By what S3 or the system calls them. */
const reasons: Readonly<Record<string, (named: Named) => string>> = {
  NoSuchBucket: missing,
  AccessDenied: denied,
  AllAccessDisabled: denied,
  InvalidAccessKeyId: key,
  SignatureDoesNotMatch: key,
  XAdminUserNotFound: key,
  InvalidToken: key,
  ExpiredToken: key,
  CredentialsProviderError: () => texts.noCredentials,
  RequestTimeTooSkewed: () => texts.clock,
  PermanentRedirect: region,
  AuthorizationHeaderMalformed: region,
  IncorrectEndpoint: region,
  SlowDown: ({ server }) => texts.busy(server, 'SlowDown'),
  QuotaExceeded: ({ server }) => texts.full(server),
  XMinioStorageFull: ({ server }) => texts.full(server),
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: ({ server }) => texts.refused(server),
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  ETIMEDOUT: silent,
  TimeoutError: silent,
  ECONNRESET: broken,
  EPIPE: broken,
};
