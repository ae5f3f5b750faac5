import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Address } from './address.ts';
import { isConditionFailed, isMissingObject, isPastEnd, objectsFailure } from './failures.ts';
import type { ObjectEntry, ObjectHead, ObjectPart, Objects, OpenObject } from './objects.ts';

/** S3 takes no more keys in one request. */
const deletedAtOnce = 1000;
/** At most 10,000 parts: objects of up to 78 GiB, with two parts in memory. */
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 2;
const attempts = 4;
const connectMs = 5000;
/** Until an answer begins, and between two pieces of it. */
const silentMs = 30_000;
const resumeMs = 200;

export function connectObjects(address: S3Address): Objects {
  const { bucket: Bucket, prefix, place } = address;
  const client = clientOf(address);
  const at = (key: string) => ({ Bucket, Key: prefix + key });

  /** Undefined where `isNone` says that the object, or what was asked of it, is not there. */
  async function asked<T>(
    request: () => Promise<T>,
    isNone: (error: unknown) => boolean = () => false,
  ): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      if (isNone(error)) return undefined;
      throw objectsFailure(error, address);
    }
  }
  const sure = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw objectsFailure(error, address);
    }
  };

  const fetchFrom = (key: string, Range: string | undefined, IfMatch?: string) =>
    client.send(new GetObjectCommand({ ...at(key), ...(Range && { Range }), ...(IfMatch && { IfMatch }) }));

  /** What comes after a break is asked for from there on, of the same content. */
  async function* pieces(key: string, first: GetObjectCommandOutput, start: number, end: number | undefined) {
    let offset = start;
    let answer = first;
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const piece of answer.Body as Readable) {
          const bytes = piece as Uint8Array;
          offset += bytes.length;
          yield bytes;
        }
        return;
      } catch (error) {
        if (attempt >= attempts) throw objectsFailure(error, address);
        await delay(resumeMs * 2 ** attempt);
        if (end !== undefined && offset >= end) return;
        answer = await sure(() => fetchFrom(key, `bytes=${offset}-${end === undefined ? '' : end - 1}`, first.ETag));
      }
    }
  }

  async function part(key: string, start: number, length: number | undefined): Promise<ObjectPart | undefined> {
    const range =
      length === undefined ? undefined : start < 0 ? `bytes=${start}` : `bytes=${start}-${start + length - 1}`;
    let isEmpty = false;
    const answer = await asked(
      () => fetchFrom(key, range),
      (error) => isMissingObject(error) || (isEmpty = isPastEnd(error)),
    );
    if (!answer) {
      const head = isEmpty ? await objects.head(key) : undefined;
      return head && { ...head, bytes: new Uint8Array() };
    }
    const from = firstByteOf(answer.ContentRange);
    const end = answer.ContentLength === undefined ? undefined : from + answer.ContentLength;
    const taken: Uint8Array[] = [];
    for await (const piece of pieces(key, answer, from, end)) taken.push(piece);
    return { ...headOf(answer), bytes: taken.length === 1 ? taken[0]! : Buffer.concat(taken) };
  }

  async function* pages(options: { Prefix: string; Delimiter?: string; MaxKeys?: number }) {
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({ Bucket, ...options, ...(token && { ContinuationToken: token }) });
      const page = await sure(() => client.send(command));
      yield page;
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token);
  }

  const objects: Objects = {
    place,
    async put(key, bytes, { metadata = {}, ifMatch, ifAbsent = false } = {}) {
      const command = new PutObjectCommand({
        ...at(key),
        Body: bytes,
        ContentLength: bytes.length,
        Metadata: { ...metadata },
        ...(ifMatch !== undefined && { IfMatch: ifMatch }),
        ...(ifAbsent && { IfNoneMatch: '*' }),
      });
      const isConditional = ifMatch !== undefined || ifAbsent;
      const answer = await asked(
        () => client.send(command),
        (error) => isConditional && (isConditionFailed(error) || isMissingObject(error)),
      );
      return answer !== undefined;
    },
    async putStream(key, source, metadata = {}) {
      let thrown: { readonly error: unknown } | undefined;
      const watched = async function* () {
        try {
          yield* source;
        } catch (error) {
          thrown = { error };
          throw error;
        }
      };
      const params = { ...at(key), Body: Readable.from(watched()), Metadata: { ...metadata } };
      try {
        await new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce }).done();
      } catch (error) {
        if (thrown) throw thrown.error;
        throw objectsFailure(error, address);
      }
    },
    async head(key) {
      const answer = await asked(() => client.send(new HeadObjectCommand(at(key))), isMissingObject);
      return answer && headOf(answer);
    },
    get: (key) => part(key, 0, undefined),
    async range(key, start, length) {
      if (length > 0) return part(key, start, length);
      const head = await objects.head(key);
      return head && { ...head, bytes: new Uint8Array() };
    },
    async open(key, start = 0): Promise<OpenObject | undefined> {
      const answer = await asked(() => fetchFrom(key, start > 0 ? `bytes=${start}-` : undefined), isMissingObject);
      return answer && { ...headOf(answer), pieces: pieces(key, answer, start, undefined) };
    },
    async delete(keys) {
      if (keys.length === 1) {
        await asked(() => client.send(new DeleteObjectCommand(at(keys[0]!))), isMissingObject);
        return;
      }
      for (let first = 0; first < keys.length; first += deletedAtOnce) {
        const Objects = keys.slice(first, first + deletedAtOnce).map((key) => ({ Key: prefix + key }));
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
        const { Errors = [] } = await sure(() => client.send(command));
        const left = Errors.find(({ Code }) => Code !== 'NoSuchKey');
        if (left) throw objectsFailure(Object.assign(new Error(left.Message), { name: left.Code }), address);
      }
    },
    async *list(below): AsyncGenerator<ObjectEntry, void> {
      for await (const { Contents = [] } of pages({ Prefix: prefix + below })) {
        for (const { Key = '', Size = 0, LastModified } of Contents) {
          // Some servers show a folder as an object.
          if (Key.endsWith('/')) continue;
          yield { key: Key.slice(prefix.length), size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
        }
      }
    },
    async folders(below) {
      const names: string[] = [];
      const start = prefix.length + below.length;
      for await (const { CommonPrefixes = [] } of pages({ Prefix: prefix + below, Delimiter: '/' })) {
        for (const { Prefix = '' } of CommonPrefixes) names.push(Prefix.slice(start, -1));
      }
      return names;
    },
    async abortUploads(before) {
      const all = await sure(() => client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })));
      for (const { Key, UploadId, Initiated } of all.Uploads ?? []) {
        if (!Key || !UploadId || !Initiated || Initiated.getTime() >= before) continue;
        const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
        await asked(() => client.send(command), isMissingObject);
      }
    },
    async ready() {
      await sure(() => client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 })));
    },
    async clockAhead() {
      let date: string | undefined;
      const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 });
      command.middlewareStack.add(
        (next) => async (request) => {
          const result = await next(request);
          date = (result.response as { headers?: Record<string, string> }).headers?.date;
          return result;
        },
        { step: 'deserialize' },
      );
      await sure(() => client.send(command));
      const at = Date.parse(date ?? '');
      return Number.isNaN(at) ? undefined : at - Date.now();
    },
  };
  return objects;
}

function clientOf({ host, region, tls, pathStyle, credentials }: S3Address): S3Client {
  return new S3Client({
    region,
    ...(host && { endpoint: `${tls ? 'https' : 'http'}://${host}` }),
    forcePathStyle: pathStyle,
    ...(credentials && {
      credentials: {
        accessKeyId: credentials.key,
        secretAccessKey: credentials.secret,
        ...(credentials.token && { sessionToken: credentials.token }),
      },
    }),
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: silentMs,
      throwOnRequestTimeout: true,
      socketTimeout: silentMs,
      httpAgent: { keepAlive: true, maxSockets: 64 },
      httpsAgent: { keepAlive: true, maxSockets: 64 },
    },
    // Content is signed by its SHA-256 as it is; the newer sums are unknown to many servers that speak S3.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

type Answer = Pick<GetObjectCommandOutput, 'ContentLength' | 'ContentRange' | 'ETag' | 'Metadata'>;

function headOf({ ContentLength = 0, ContentRange, ETag = '', Metadata = {} }: Answer): ObjectHead {
  const whole = /\/(\d+)$/.exec(ContentRange ?? '')?.[1];
  return { size: whole === undefined ? ContentLength : Number(whole), etag: ETag, metadata: Metadata };
}

const firstByteOf = (range: string | undefined): number => Number(/^bytes (\d+)-/.exec(range ?? '')?.[1] ?? 0);
