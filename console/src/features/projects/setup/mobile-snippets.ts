import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

const swiftOptions = (indent: string): string =>
  [
    'options.dsn = "‹dsn›"',
    '‹traces›options.tracesSampleRate = 1.0',
    '‹logs›options.enableLogs = true',
    '‹release›options.releaseName = "shop@1.0.0"',
  ]
    .map((line) => line.replace(/^(‹\w+›)?/, `$1${indent}`))
    .join('\n');

const swiftPackage: SetupStep = {
  title: m.addPackage,
  file: 'Xcode › File › Add Package Dependencies',
  language: 'sh',
  code: 'https://github.com/getsentry/sentry-cocoa.git',
};

export const platforms: Readonly<Record<string, Setup>> = {
  'apple-ios': {
    sendsSessions: true,
    steps: [
      swiftPackage,
      {
        title: m.initialize,
        file: 'ShopApp.swift',
        language: 'swift',
        code: `import Sentry
import SwiftUI

@main
struct ShopApp: App {
    init() {
        SentrySDK.start { options in
${swiftOptions('            ')}
        }
    }

    var body: some Scene {
        WindowGroup {
            Button("Fail") {
                SentrySDK.capture(error: NSError(domain: "Hello, Culprit", code: 1))
            }
        }
    }
}`,
      },
    ],
  },
  'apple-macos': {
    sendsSessions: true,
    steps: [
      swiftPackage,
      {
        title: m.initialize,
        file: 'AppDelegate.swift',
        language: 'swift',
        code: `import Cocoa
import Sentry

@main
class AppDelegate: NSObject, NSApplicationDelegate {
    func applicationDidFinishLaunching(_ notification: Notification) {
        SentrySDK.start { options in
${swiftOptions('            ')}
            // Without it, AppKit swallows uncaught exceptions.
            options.enableUncaughtNSExceptionReporting = true
        }
        SentrySDK.capture(error: NSError(domain: "Hello, Culprit", code: 1))
    }
}`,
      },
    ],
  },
  android: {
    sendsSessions: true,
    steps: [
      {
        title: m.install,
        file: 'app/build.gradle.kts',
        language: 'kotlin',
        code: `plugins {
    id("io.sentry.android.gradle") version "6.25.0"
}`,
      },
      {
        title: m.configure,
        file: 'app/src/main/AndroidManifest.xml',
        language: 'xml',
        code: `<application>
  <meta-data android:name="io.sentry.dsn" android:value="‹dsn›" />
‹traces›  <meta-data android:name="io.sentry.traces.sample-rate" android:value="1.0" />
‹logs›  <meta-data android:name="io.sentry.logs.enabled" android:value="true" />
‹release›  <meta-data android:name="io.sentry.release" android:value="shop@1.0.0" />
</application>`,
      },
      {
        title: m.testError,
        file: 'MainActivity.kt',
        language: 'kotlin',
        code: `findViewById<View>(android.R.id.content).setOnClickListener {
    throw IllegalStateException("Hello, Culprit")
}`,
      },
    ],
  },
  'react-native': {
    sendsSessions: true,
    steps: [
      { title: m.install, language: 'sh', code: 'npm install @sentry/react-native\nnpx pod-install ios' },
      {
        title: m.initialize,
        file: 'App.tsx',
        language: 'typescript',
        code: `import * as Sentry from '@sentry/react-native';
import { Button, View } from 'react-native';

Sentry.init({
  dsn: '‹dsn›',
‹traces›  tracesSampleRate: 1.0,
‹logs›  enableLogs: true,
‹release›  release: 'shop@1.0.0',
});

function App() {
  return (
    <View>
      <Button title="Fail" onPress={() => { throw new Error('Hello, Culprit'); }} />
    </View>
  );
}

export default Sentry.wrap(App);`,
      },
      {
        title: m.configureBuild,
        file: 'metro.config.js',
        language: 'typescript',
        code: `const { getDefaultConfig } = require('@react-native/metro-config');
const { withSentryConfig } = require('@sentry/react-native/metro');

module.exports = withSentryConfig(getDefaultConfig(__dirname));`,
      },
    ],
  },
};
