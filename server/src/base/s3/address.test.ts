import { describe, expect, test } from 'vitest';
import { readConfig, withoutPassword } from '../config.ts';
import { isS3, parseS3Address } from './address.ts';

const own = { AWS_ACCESS_KEY_ID: 'of-environment', AWS_SECRET_ACCESS_KEY: 'its-secret' };

describe('an address of S3', () => {
  test('says host, bucket, prefix and options', () => {
    expect(parseS3Address('s3://KEY:se/cr+et@10.0.0.7:9000/blobs/eu/one?region=eu-1&tls=off', {})).toEqual({
      host: '10.0.0.7:9000',
      bucket: 'blobs',
      prefix: 'eu/one/',
      region: 'eu-1',
      tls: false,
      pathStyle: true,
      credentials: { key: 'KEY', secret: 'se/cr+et' },
      place: 's3://10.0.0.7:9000/blobs/eu/one',
    });
  });

  test('takes what AWS tools read from the environment, and AWS itself without a host', () => {
    const environment = { ...own, AWS_SESSION_TOKEN: 'token', AWS_REGION: 'eu-central-1' };
    expect(parseS3Address('s3:///blobs', environment)).toEqual({
      host: undefined,
      bucket: 'blobs',
      prefix: '',
      region: 'eu-central-1',
      tls: true,
      pathStyle: false,
      credentials: { key: 'of-environment', secret: 'its-secret', token: 'token' },
      place: 's3:///blobs',
    });
    expect(parseS3Address('s3:///blobs?path-style=on', {})).toMatchObject({ credentials: undefined, pathStyle: true });
    expect(parseS3Address('s3://[::1]:9000/blobs', own).host).toBe('[::1]:9000');
    expect(parseS3Address('s3://a:b%2Fc%40d@host/blobs', own).credentials?.secret).toBe('b/c@d');
  });

  test.each([
    's3://',
    's3://host',
    's3://host/',
    's3://host/b',
    's3://host/Bad_-',
    's3://host/bucket/../x',
    's3://host/bucket/a b',
    's3://ho st/bucket',
    's3://host/bucket?tls=maybe',
    's3://host/bucket?secret=x',
    's3://host/bucket?region=../x',
    's3://host/bucket#x',
    's3://:secret@host/bucket',
    's3://key:@host/bucket',
    'https://host/bucket',
  ])('is not %s', (text) => {
    expect(() => parseS3Address(text, own)).toThrow(RangeError);
  });

  test('needs an access key, but for AWS, where a machine has a role', () => {
    expect(() => parseS3Address('s3://host/bucket', {})).toThrow(/no access key/);
    expect(parseS3Address('s3://s3.eu-west-1.amazonaws.com/bucket', {}).pathStyle).toBe(false);
  });

  test('is told from a directory', () => {
    expect(['s3://a/b', 'S3:///a', './s3', '/s3://a'].map(isS3)).toEqual([true, true, false, false]);
  });

  test('shows its secret nowhere', () => {
    const secret = 'Zx9/+@:q?w';
    const good = `s3://KEY:${secret.replace('?', '')}@host:1/bucket?tls=off`;
    expect(withoutPassword(good)).toBe('s3://KEY:***@host:1/bucket?tls=off');
    for (const bad of [
      `s3://KEY:${secret}@ho st/bucket`,
      `s3://KEY:${secret}@host`,
      `s3://KEY:${secret}@host/b/?x=1`,
    ]) {
      const refused = (() => {
        try {
          readConfig({ blobsUrl: bad }, {});
          return '';
        } catch (error) {
          return String(error);
        }
      })();
      expect(refused).toContain('--blobs-url');
      expect(refused).not.toContain('Zx9');
    }
  });
});
