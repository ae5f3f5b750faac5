/** SimpleSAMLphp as an identity provider on 127.0.0.1, with people who have passwords there, in PHP's own web server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSigningKey, names, type SigningKey } from '../../src/domains/providers/saml/testing/made-response.ts';
import { freePort } from '../harness.ts';
import { simplesamlphpRoot } from './places.ts';

export interface Person {
  readonly password: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** Ours, as the provider is told of it. */
export interface ServiceProvider {
  readonly entityId: string;
  readonly acs: string;
  /** Bare base64: assertions are encrypted for it, and requests must be signed by it. */
  readonly certificate?: string;
}

const started = 10_000;

/** It ends with whoever has started it, however that comes about. */
const untilInputEnds = `exec 3<&0
php "$@" 3<&- & server=$!
cat <&3 > /dev/null
kill -KILL $server`;

export class Simplesamlphp implements AsyncDisposable {
  readonly url: string;
  readonly entityId: string;
  readonly signing: SigningKey;
  readonly #dir: string;
  readonly #child: ChildProcess;

  private constructor(url: string, dir: string, signing: SigningKey, child: ChildProcess) {
    this.url = url;
    this.entityId = `${url}/idp`;
    this.signing = signing;
    this.#dir = dir;
    this.#child = child;
  }

  static async start(people: Readonly<Record<string, Person>>): Promise<Simplesamlphp> {
    const root = simplesamlphpRoot();
    if (root === undefined) throw new Error('SimpleSAMLphp is missing: run node scripts/provision.ts');
    const dir = await mkdtemp(join(tmpdir(), 'culprit-simplesamlphp-'));
    // Another site than the server, whose address is a number: browsers send no cookie of it along.
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const signing = makeSigningKey();
    await writeSettings(dir, url, signing, people);
    const child = spawn('sh', ['-c', untilInputEnds, 'sh', '-S', `127.0.0.1:${port}`, '-t', join(root, 'www')], {
      env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: dir },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const provider = new Simplesamlphp(url, dir, signing, child);
    for (const until = Date.now() + started; ; await delay(50)) {
      if (
        await fetch(provider.metadataUrl).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return provider;
      if (Date.now() > until || child.exitCode !== null) throw new Error('SimpleSAMLphp does not start');
    }
  }

  get metadataUrl(): string {
    return `${this.url}/saml2/idp/metadata.php`;
  }

  get ssoUrl(): string {
    return `${this.url}/saml2/idp/SSOService.php`;
  }

  /** Whom it answers from now on. */
  async know(...all: readonly ServiceProvider[]): Promise<void> {
    const metadata = all.map(({ entityId, acs, certificate }) => [
      entityId,
      {
        AssertionConsumerService: acs,
        ...(certificate && {
          keys: [{ type: 'X509Certificate', X509Certificate: certificate, signing: true, encryption: true }],
          'assertion.encryption': true,
          'validate.authnrequest': true,
        }),
      },
    ]);
    await writeFile(join(this.#dir, 'metadata/sps.json'), JSON.stringify(Object.fromEntries(metadata)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
    await rm(this.#dir, { recursive: true, force: true });
  }
}

async function writeSettings(
  dir: string,
  url: string,
  { key, certificate }: SigningKey,
  people: Readonly<Record<string, Person>>,
): Promise<void> {
  for (const name of ['metadata', 'cert', 'sessions', 'tmp']) await mkdir(join(dir, name));
  const at = (name: string): string => join(dir, name);
  const config = {
    baseurlpath: `${url}/`,
    certdir: `${at('cert')}/`,
    loggingdir: `${at('tmp')}/`,
    datadir: `${at('tmp')}/`,
    tempdir: at('tmp'),
    metadatadir: `${at('metadata')}/`,
    'metadata.sources': [{ type: 'flatfile' }],
    technicalcontact_email: 'na@example.org',
    timezone: 'UTC',
    secretsalt: 'of a test',
    'auth.adminpassword': 'of a test',
    'admin.checkforupdates': false,
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true },
    'store.type': 'phpsession',
    'session.phpsession.savepath': at('sessions'),
    'session.cookie.secure': false,
    'session.cookie.samesite': null,
    'language.cookie.secure': false,
    'language.available': ['en'],
    'language.default': 'en',
    'logging.handler': 'file',
    'logging.level': 4,
    'theme.use': 'default',
    production: true,
  };
  const known = Object.entries(people).map(([name, { password, attributes }]) => [`${name}:${password}`, attributes]);
  const idp = {
    host: '__DEFAULT__',
    privatekey: 'idp.key',
    certificate: 'idp.crt',
    auth: 'people',
    'signature.algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    NameIDFormat: names.persistent,
    sharedkey_algorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
    authproc: { 3: { class: 'saml:AttributeNameID', attribute: 'uid', Format: names.persistent } },
  };
  const files: Record<string, unknown> = {
    config,
    authsources: { people: { '0': 'exampleauth:UserPass', ...Object.fromEntries(known) } },
    'metadata/saml20-idp-hosted': { [`${url}/idp`]: idp },
    'metadata/sps': {},
  };
  for (const [name, value] of Object.entries(files)) await writeFile(at(`${name}.json`), JSON.stringify(value));
  const php = (variable: string, file: string): string =>
    `<?php\n$${variable} = json_decode(file_get_contents(__DIR__ . '/${file}.json'), true);\n`;
  await writeFile(at('config.php'), php('config', 'config'));
  await writeFile(at('authsources.php'), php('config', 'authsources'));
  await writeFile(at('metadata/saml20-idp-hosted.php'), php('metadata', 'saml20-idp-hosted'));
  await writeFile(at('metadata/saml20-sp-remote.php'), php('metadata', 'sps'));
  await writeFile(at('cert/idp.key'), key.export({ type: 'pkcs8', format: 'pem' }).toString());
  await writeFile(at('cert/idp.crt'), certificate);
}
