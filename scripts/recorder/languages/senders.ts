/** Every program of another language, what it is made of and which scenarios it runs. */
import {
  hasPackages,
  type Language,
  makeGo,
  makeJava,
  makePython,
  makeRuby,
  makeRust,
  type Program,
} from './toolchains.ts';

export interface LanguageScenario {
  readonly name: string;
  /** Whether the program, run without a server, prints what its runtime says of each error. */
  readonly isPrinted?: true;
  /** Whether what a client says of its own losses is wanted. */
  readonly withReports?: true;
}

export interface LanguageSender {
  readonly language: Language;
  /** Of `fixtures/languages/`. */
  readonly folder: string;
  readonly sdk: string;
  readonly version: string;
  readonly scenarios: readonly LanguageScenario[];
  /** Builds it. Throws what the build said. */
  make(): Program;
  /** Whether packages that it needs lie in the cache; undefined where building asks. */
  isFetched?(): boolean;
}

const plain = (...names: string[]): LanguageScenario[] => names.map((name) => ({ name }));
const printed = (...names: string[]): LanguageScenario[] => names.map((name) => ({ name, isPrinted: true }));

const python: readonly LanguageSender[] = [
  {
    language: 'python',
    folder: 'python-2',
    sdk: 'sentry.python',
    version: '2.75.0',
    scenarios: [
      ...printed('chain', 'chain-twins', 'during', 'fromnone', 'group', 'uncaught', 'recursion', 'thread'),
      ...printed('locals', 'scrubbing', 'attach', 'flags', 'fingerprint'),
      ...plain('message', 'logging', 'plainlog', 'asyncio', 'trace', 'logs', 'metrics', 'cron', 'sessions'),
      ...plain('profile', 'profile-txn'),
      { name: 'clientreport', withReports: true },
    ],
    make: () => makePython('python', 'program.py', 'python/requirements/2.txt', 'python-2'),
    isFetched: () => hasPackages('python/requirements/2.txt', 'python-2'),
  },
  {
    language: 'python',
    folder: 'python-2-flask',
    sdk: 'sentry.python.flask',
    version: '2.75.0',
    scenarios: plain('web', 'stream'),
    make: () => makePython('python', 'flask_program.py', 'python/requirements/2-web.txt', 'python-2-web'),
    isFetched: () => hasPackages('python/requirements/2-web.txt', 'python-2-web'),
  },
  {
    language: 'python',
    folder: 'python-2-django',
    sdk: 'sentry.python.django',
    version: '2.75.0',
    scenarios: plain('web', 'n-plus-one'),
    make: () => makePython('python', 'django_program.py', 'python/requirements/2-web.txt', 'python-2-web'),
    isFetched: () => hasPackages('python/requirements/2-web.txt', 'python-2-web'),
  },
  {
    language: 'python',
    folder: 'python-2-sqlalchemy',
    sdk: 'sentry.python',
    version: '2.75.0',
    scenarios: plain('n-plus-one'),
    make: () => makePython('python', 'sqlalchemy_program.py', 'python/requirements/2-web.txt', 'python-2-web'),
    isFetched: () => hasPackages('python/requirements/2-web.txt', 'python-2-web'),
  },
  {
    language: 'python',
    folder: 'python-1',
    sdk: 'sentry.python.flask',
    version: '1.45.1',
    scenarios: plain('web'),
    make: () => makePython('python', 'flask_program.py', 'python/requirements/1.txt', 'python-1'),
    isFetched: () => hasPackages('python/requirements/1.txt', 'python-1'),
  },
  {
    language: 'python',
    folder: 'python-0.19',
    sdk: 'sentry.python',
    version: '0.19.5',
    scenarios: printed('main'),
    make: () => makePython('python', 'store_program.py', 'python/requirements/0.19.txt', 'python-0.19'),
    isFetched: () => hasPackages('python/requirements/0.19.txt', 'python-0.19'),
  },
  {
    language: 'python',
    folder: 'raven-6.10',
    sdk: 'raven-python',
    version: '6.10.0',
    scenarios: printed('main'),
    make: () => makePython('python', 'raven_program.py', 'python/requirements/raven.txt', 'raven-6.10'),
    isFetched: () => hasPackages('python/requirements/raven.txt', 'raven-6.10'),
  },
  {
    language: 'python',
    folder: 'otel-python',
    sdk: 'opentelemetry-python',
    version: '1.45.2',
    scenarios: plain('main', 'rise', 'twins'),
    make: () => makePython('otel-python', 'program.py', 'otel-python/requirements.txt', 'otel-python'),
    isFetched: () => hasPackages('otel-python/requirements.txt', 'otel-python'),
  },
];

const go: readonly LanguageSender[] = [
  {
    language: 'go',
    folder: 'go-0.50',
    sdk: 'sentry.go',
    version: '0.50.0',
    scenarios: [
      ...printed('wrapped', 'join', 'sentinel', 'twobugs', 'pkgerrors', 'panic', 'panicerr', 'goroutine', 'attach'),
      ...plain('message', 'http-t', 'trace-t', 'logs', 'metrics', 'checkin'),
    ],
    make: () => makeGo('go', 'go-0.50'),
  },
  {
    language: 'go',
    folder: 'go-0.50-trimpath',
    sdk: 'sentry.go',
    version: '0.50.0',
    scenarios: printed('wrapped', 'pkgerrors', 'panic'),
    make: () => makeGo('go', 'go-0.50-trimpath', ['-trimpath']),
  },
  {
    language: 'go',
    folder: 'go-0.13',
    sdk: 'sentry.go',
    version: '0.13.0',
    scenarios: plain('main'),
    make: () => makeGo('go-old', 'go-0.13'),
  },
  {
    language: 'go',
    folder: 'otel-go',
    sdk: 'opentelemetry-go',
    version: '1.47.0',
    scenarios: plain('main', 'twins'),
    make: () => makeGo('otel-go', 'otel-go'),
  },
  {
    language: 'go',
    folder: 'otel-go-sql',
    sdk: 'opentelemetry-go',
    version: '1.47.0',
    scenarios: plain('n-plus-one'),
    make: () => makeGo('otel-go-sql', 'otel-go-sql'),
  },
  {
    language: 'go',
    folder: 'go-asynq-0.26',
    sdk: 'sentry.go',
    version: '0.50.0',
    scenarios: plain('jobs'),
    make: () => makeGo('go-asynq', 'go-asynq-0.26'),
  },
];

function javaSender(folder: string, scenarios: readonly LanguageScenario[], inApp: string): LanguageSender {
  return {
    language: 'java',
    folder,
    sdk: 'sentry.java',
    version: '8.62.0',
    scenarios,
    make: () => makeJava('java', 'java-8.62', { RECORD_IN_APP: inApp }),
  };
}

const java: readonly LanguageSender[] = [
  javaSender(
    'java-8.62',
    [
      ...printed('cause', 'suppressed', 'lambda', 'uncaught', 'thread', 'flags', 'attach'),
      ...plain('deep', 'locked', 'message', 'trace', 'logs', 'metrics', 'checkin', 'feedback', 'synthetic-names'),
      ...plain('session-ok', 'session-error', 'session-crash'),
    ],
    'include',
  ),
  javaSender('java-8.62-default', printed('cause', 'suppressed', 'lambda', 'thread'), ''),
  javaSender('java-8.62-excludes', printed('lambda'), 'exclude'),
  {
    language: 'java',
    folder: 'java-8.53',
    sdk: 'sentry.java.logback',
    version: '8.53.0',
    scenarios: printed('logback'),
    make: () => makeJava('java-logback', 'java-8.53'),
  },
  {
    language: 'java',
    folder: 'java-spring-8.51',
    sdk: 'sentry.java.spring-boot.jakarta',
    version: '8.51.0',
    scenarios: plain('web'),
    make: () => makeJava('java-spring', 'java-spring-8.51'),
  },
  {
    language: 'java',
    folder: 'java-jpa-8.51',
    sdk: 'sentry.java.spring-boot.jakarta',
    version: '8.51.0',
    scenarios: plain('n-plus-one', 'scheduled'),
    make: () => makeJava('java-jpa', 'java-jpa-8.51', { RECORD_WITH: 'sentry' }),
  },
  {
    language: 'java',
    folder: 'otel-javaagent',
    sdk: 'opentelemetry-java-instrumentation',
    version: '2.11.0',
    scenarios: plain('n-plus-one', 'scheduled'),
    make: () =>
      makeJava(
        'java-jpa',
        'otel-javaagent',
        {},
        {
          library: 'opentelemetry-javaagent-2.11.0.jar',
          options: [
            '-Dotel.metrics.exporter=none',
            '-Dotel.logs.exporter=none',
            // What asks is no part of the application.
            '-Dotel.instrumentation.java-http-client.enabled=false',
          ],
        },
      ),
  },
  {
    language: 'java',
    folder: 'otel-java',
    sdk: 'opentelemetry-java',
    version: '1.63.0',
    scenarios: plain('main', 'twins'),
    make: () => makeJava('otel-java', 'otel-java'),
  },
];

function rustSender(folder: string, profile: string, scenarios: readonly LanguageScenario[]): LanguageSender {
  return {
    language: 'rust',
    folder,
    sdk: 'sentry.rust',
    version: '0.49.5',
    scenarios,
    make: () => makeRust('rust', 'rust-0.49', profile),
  };
}

const panics = printed('panic', 'unwrap', 'thread');

const rust: readonly LanguageSender[] = [
  rustSender('rust-0.49', 'dev', [
    ...panics,
    ...printed('anyhow', 'chain', 'attach', 'session-error', 'session-crash'),
    ...plain('message', 'tracing', 'logs', 'session-ok'),
  ]),
  rustSender('rust-0.49-release', 'release', [...panics, ...printed('session-crash')]),
  rustSender('rust-0.49-stripped', 'stripped', [
    ...panics,
    ...printed('anyhow', 'chain', 'session-crash'),
    ...plain('message'),
  ]),
];

const ruby: readonly LanguageSender[] = [
  {
    language: 'ruby',
    folder: 'ruby-5.3',
    sdk: 'sentry.ruby',
    version: '5.3.0',
    scenarios: [...printed('cause', 'key', 'block', 'uncaught', 'thread'), ...plain('message', 'trace', 'rack')],
    make: () => makeRuby('ruby', 'ruby-5.3'),
  },
  {
    language: 'ruby',
    folder: 'ruby-rails-5.3',
    sdk: 'sentry.ruby',
    version: '5.3.0',
    scenarios: plain('n-plus-one'),
    make: () => makeRuby('ruby-rails', 'ruby-rails-5.3'),
  },
];

export const senders: readonly LanguageSender[] = [...python, ...go, ...java, ...rust, ...ruby];
