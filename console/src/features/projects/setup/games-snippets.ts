import * as m from '../../../messages/platforms.ts';
import type { Setup } from './template.ts';

export const platforms: Readonly<Record<string, Setup>> = {
  unity: {
    sendsSessions: true,
    steps: [
      {
        title: m.addPackage,
        file: 'Window › Package Manager › Add package from git URL',
        language: 'sh',
        code: 'https://github.com/getsentry/unity.git',
      },
      { title: m.setDsn, file: 'Tools › Sentry › Core', language: 'sh', code: '‹dsn›' },
      {
        title: m.testError,
        file: 'Assets/TestError.cs',
        language: 'csharp',
        code: `using System;
using Sentry;
using UnityEngine;

public class TestError : MonoBehaviour
{
    void Start() => SentrySdk.CaptureException(new InvalidOperationException("Hello, Culprit"));
}`,
      },
    ],
  },
  unreal: {
    sendsSessions: true,
    steps: [
      {
        title: m.addPlugin,
        file: 'Plugins',
        language: 'sh',
        code: 'https://github.com/getsentry/sentry-unreal/releases',
      },
      { title: m.setDsn, file: 'Project Settings › Plugins › Sentry', language: 'sh', code: '‹dsn›' },
      {
        title: m.configureBuild,
        file: 'Source/Shop/Shop.Build.cs',
        language: 'csharp',
        code: 'PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "Engine", "Sentry" });',
      },
      {
        title: m.testError,
        file: 'ShopGameMode.cpp',
        language: 'cpp',
        code: `#include "SentrySubsystem.h"

void AShopGameMode::BeginPlay()
{
    Super::BeginPlay();
    GEngine->GetEngineSubsystem<USentrySubsystem>()->CaptureMessage(TEXT("Hello, Culprit"));
}`,
      },
    ],
  },
};
