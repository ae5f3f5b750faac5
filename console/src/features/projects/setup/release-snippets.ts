/** What a build runs so that a release has its commits, and what only some languages upload with it. */
import * as m from '../../../messages/platforms.ts';
import type { Language, PlatformId } from '../platforms.ts';
import type { SetupStep } from './template.ts';

export interface BuildTool {
  readonly name: string;
  readonly steps: readonly SetupStep[];
}

const commands = `sentry-cli releases new "$SENTRY_RELEASE"
sentry-cli releases set-commits "$SENTRY_RELEASE" --auto --ignore-missing
sentry-cli releases finalize "$SENTRY_RELEASE"
sentry-cli deploys new --release "$SENTRY_RELEASE" --env production`;

const place = `export SENTRY_URL=‹origin› SENTRY_ORG=‹org› SENTRY_PROJECT=‹project›`;

const cli: BuildTool = {
  name: 'sentry-cli',
  steps: [
    { title: m.installCli, language: 'sh', code: 'npm install --global @sentry/cli' },
    {
      title: m.afterBuild,
      language: 'sh',
      code: `${place}
export SENTRY_RELEASE=shop@$(git rev-parse --short HEAD)
${commands}`,
    },
  ],
};

const actions: BuildTool = {
  name: 'GitHub Actions',
  steps: [
    {
      title: m.addStep,
      file: '.github/workflows/deploy.yml',
      language: 'yaml',
      code: `- uses: actions/checkout@v4
  with:
    fetch-depth: 0
- run: |
    npm install --global @sentry/cli
${commands.replaceAll(/^/gm, '    ')}
  env:
    SENTRY_URL: ‹origin›
    SENTRY_ORG: ‹org›
    SENTRY_PROJECT: ‹project›
    SENTRY_RELEASE: shop@\${{ github.sha }}
    SENTRY_AUTH_TOKEN: \${{ secrets.SENTRY_AUTH_TOKEN }}`,
    },
  ],
};

const msbuild: BuildTool = {
  name: 'MSBuild',
  steps: [
    {
      title: m.configureBuild,
      file: 'Shop.csproj',
      language: 'xml',
      code: `<PropertyGroup Condition="'$(Configuration)' == 'Release'">
  <SentryUrl>‹origin›</SentryUrl>
  <SentryOrg>‹org›</SentryOrg>
  <SentryProject>‹project›</SentryProject>
  <SentryCreateRelease>true</SentryCreateRelease>
  <SentrySetCommits>true</SentrySetCommits>
</PropertyGroup>`,
    },
    { title: m.runBuild, language: 'sh', code: 'dotnet publish --configuration Release' },
  ],
};

const mix: BuildTool = {
  name: 'Mix',
  steps: [
    {
      title: m.runBuild,
      language: 'sh',
      code: `# Takes the source into the release, so that frames have their lines.
mix sentry.package_source_code
MIX_ENV=prod mix release
${place}
export SENTRY_RELEASE=shop@$(git rev-parse --short HEAD)
${commands}`,
    },
  ],
};

const dart: BuildTool = {
  name: 'sentry_dart_plugin',
  steps: [
    { title: m.install, language: 'sh', code: 'flutter pub add dev:sentry_dart_plugin' },
    {
      title: m.configureBuild,
      file: 'pubspec.yaml',
      language: 'yaml',
      code: `sentry:
  url: ‹origin›
  org: ‹org›
  project: ‹project›
  upload_debug_symbols: false
  commits: auto
  ignore_missing: true`,
    },
    { title: m.runBuild, language: 'sh', code: 'flutter build appbundle\ndart run sentry_dart_plugin' },
  ],
};

const fastlane: BuildTool = {
  name: 'fastlane',
  steps: [
    { title: m.install, language: 'sh', code: 'fastlane add_plugin sentry' },
    {
      title: m.addStep,
      file: 'fastlane/Fastfile',
      language: 'ruby',
      code: `lane :release do
  version = "shop@#{get_version_number}"
  place = { url: "‹origin›", org_slug: "‹org›", project_slug: "‹project›" }
  sentry_create_release(version: version, **place)
  sentry_set_commits(version: version, auto: true, ignore_missing: true, **place)
  sentry_finalize_release(version: version, **place)
end`,
    },
  ],
};

const byLanguage: Partial<Record<Language, readonly BuildTool[]>> = {
  dotnet: [msbuild, cli, actions],
  elixir: [mix, cli, actions],
  dart: [dart, cli, actions],
  mobile: [fastlane, cli, actions],
};

/** The one that comes with the language first. */
export function releaseTools(language: Language): readonly BuildTool[] {
  return byLanguage[language] ?? [cli, actions];
}

const maven: BuildTool = {
  name: 'Maven',
  steps: [
    {
      title: m.configureBuild,
      file: 'pom.xml',
      language: 'xml',
      code: `<plugin>
  <groupId>io.sentry</groupId>
  <artifactId>sentry-maven-plugin</artifactId>
  <version>0.11.0</version>
  <extensions>true</extensions>
  <configuration>
    <url>‹origin›</url>
    <org>‹org›</org>
    <project>‹project›</project>
    <authToken>\${env.SENTRY_AUTH_TOKEN}</authToken>
  </configuration>
  <executions>
    <execution>
      <goals>
        <goal>uploadSourceBundle</goal>
      </goals>
    </execution>
  </executions>
</plugin>`,
    },
    { title: m.runBuild, language: 'sh', code: 'mvn package' },
  ],
};

const gradle = (plugin: string, file: string, mapping: string): BuildTool => ({
  name: 'Gradle',
  steps: [
    {
      title: m.configureBuild,
      file,
      language: 'kotlin',
      code: `plugins {
    id("${plugin}") version "6.25.0"
}

sentry {
    url = "‹origin›"
    org = "‹org›"
    projectName = "‹project›"
    authToken = System.getenv("SENTRY_AUTH_TOKEN")
    includeSourceContext = true
${mapping}}`,
    },
    { title: m.runBuild, language: 'sh', code: mapping ? './gradlew assembleRelease' : './gradlew build' },
  ],
});

const jvmCli: BuildTool = {
  name: 'sentry-cli',
  steps: [
    { title: m.installCli, language: 'sh', code: 'npm install --global @sentry/cli' },
    {
      title: m.uploadSources,
      language: 'sh',
      code: `${place}
id=$(uuidgen)
sentry-cli debug-files bundle-jvm --output bundles --debug-id "$id" src/main/java
sentry-cli debug-files upload --type jvm bundles
# The SDK sends the id with each event.
echo "io.sentry.bundle-ids=$id" > src/main/resources/sentry-debug-meta.properties`,
    },
    {
      title: m.uploadMapping,
      language: 'sh',
      code: `sentry-cli upload-proguard --uuid "$(uuidgen)" build/outputs/mapping/release/mapping.txt`,
    },
  ],
};

const jvm = [maven, gradle('io.sentry.jvm.gradle', 'build.gradle.kts', ''), jvmCli];

/** Builds that upload source, and mappings of shrunk names; none where events have their source already. */
export function sourceTools(platform: PlatformId, language: Language): readonly BuildTool[] {
  if (language === 'java') return jvm;
  if (platform !== 'android') return [];
  const mapping = '    includeProguardMapping = true\n    autoUploadProguardMapping = true\n';
  return [gradle('io.sentry.android.gradle', 'app/build.gradle.kts', mapping), jvmCli];
}

/** Source maps are for what runs JavaScript. */
export const hasSourceMaps = (platform: PlatformId, language: Language): boolean =>
  language === 'javascript' || platform === 'react-native';
