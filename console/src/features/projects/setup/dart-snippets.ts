import * as m from '../../../messages/platforms.ts';
import type { Setup } from './template.ts';

const options = (indent: string): string =>
  [
    `options.dsn = '‹dsn›';`,
    `‹traces›options.tracesSampleRate = 1.0;`,
    `‹logs›options.enableLogs = true;`,
    `‹release›options.release = 'shop@1.0.0';`,
  ]
    .map((line) => line.replace(/^(‹\w+›)?/, `$1${indent}`))
    .join('\n');

export const platforms: Readonly<Record<string, Setup>> = {
  flutter: {
    sendsSessions: true,
    steps: [
      { title: m.install, language: 'sh', code: 'flutter pub add sentry_flutter' },
      {
        title: m.initialize,
        file: 'lib/main.dart',
        language: 'dart',
        code: `import 'package:flutter/material.dart';
import 'package:sentry_flutter/sentry_flutter.dart';

Future<void> main() async {
  await SentryFlutter.init(
    (options) {
${options('      ')}
    },
    appRunner: () => runApp(SentryWidget(child: const App())),
  );
}`,
      },
      {
        title: m.testError,
        file: 'lib/main.dart',
        language: 'dart',
        code: `class App extends StatelessWidget {
  const App({super.key});

  @override
  Widget build(BuildContext context) => MaterialApp(
    home: TextButton(
      onPressed: () => throw StateError('Hello, Culprit'),
      child: const Text('Fail'),
    ),
  );
}`,
      },
    ],
  },
  dart: {
    steps: [
      { title: m.install, language: 'sh', code: 'dart pub add sentry' },
      {
        title: m.initialize,
        file: 'bin/main.dart',
        language: 'dart',
        code: `import 'package:sentry/sentry.dart';

Future<void> main() async {
  await Sentry.init(
    (options) {
${options('      ')}
    },
    appRunner: () => throw StateError('Hello, Culprit'),
  );
}`,
      },
      { title: m.runTestError, language: 'sh', code: 'dart run bin/main.dart' },
    ],
  },
};
