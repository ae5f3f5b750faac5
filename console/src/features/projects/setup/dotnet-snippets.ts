import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

const options = (indent: string, name = 'options'): string =>
  [
    `${name}.Dsn = "‹dsn›";`,
    `‹traces›${name}.TracesSampleRate = 1.0;`,
    `‹logs›${name}.EnableLogs = true;`,
    `‹sessions›${name}.AutoSessionTracking = true;`,
    `‹release›${name}.Release = "shop@1.0.0";`,
  ]
    .map((line) => line.replace(/^(‹\w+›)?/, `$1${indent}`))
    .join('\n');

const add = (...packages: readonly string[]): SetupStep => ({
  title: m.install,
  language: 'sh',
  code: packages.map((name) => `dotnet add package ${name}`).join('\n'),
});

const code = (title: string, file: string, text: string): SetupStep => ({
  title,
  file,
  language: 'csharp',
  code: text,
});

const init = `using Sentry;

SentrySdk.Init(options =>
{
${options('    ')}
});`;

const withoutSessions = (text: string): string => text.replaceAll(/^‹sessions›.*\n/gm, '');

const web = withoutSessions(`var builder = WebApplication.CreateBuilder(args);

builder.WebHost.UseSentry(options =>
{
${options('    ')}
});`);

const request: SetupStep = {
  title: m.runTestError,
  language: 'sh',
  code: 'dotnet run --urls http://localhost:5000 &\ncurl http://localhost:5000/test-error',
};

export const platforms: Readonly<Record<string, Setup>> = {
  dotnet: {
    steps: [
      add('Sentry'),
      code(m.initialize, 'Program.cs', `${init}\n\nthrow new InvalidOperationException("Hello, Culprit");`),
      { title: m.runTestError, language: 'sh', code: 'dotnet run' },
    ],
  },
  'dotnet-aspnetcore': {
    steps: [
      add('Sentry.AspNetCore'),
      code(
        m.initialize,
        'Program.cs',
        `${web}

var app = builder.Build();

app.MapGet("/test-error", string () => throw new InvalidOperationException("Hello, Culprit"));

app.Run();`,
      ),
      request,
    ],
  },
  'dotnet-blazor': {
    steps: [
      add('Sentry.AspNetCore.Blazor.WebAssembly'),
      code(
        m.initialize,
        'Program.cs',
        `using Microsoft.AspNetCore.Components.WebAssembly.Hosting;

var builder = WebAssemblyHostBuilder.CreateDefault(args);

builder.UseSentry(options =>
{
${withoutSessions(options('    '))}
});
// Errors that are logged become events.
builder.Logging.AddSentry(options => options.InitializeSdk = false);

await builder.Build().RunAsync();`,
      ),
      {
        title: m.testError,
        file: 'Pages/TestError.razor',
        language: 'csharp',
        code: `@page "/test-error"

<button @onclick="Fail">Fail</button>

@code {
    void Fail() => throw new InvalidOperationException("Hello, Culprit");
}`,
      },
    ],
  },
  'dotnet-maui': {
    sendsSessions: true,
    steps: [
      add('Sentry.Maui'),
      code(
        m.initialize,
        'MauiProgram.cs',
        `public static MauiApp CreateMauiApp()
{
    var builder = MauiApp.CreateBuilder();
    builder
        .UseMauiApp<App>()
        .UseSentry(options =>
        {
${withoutSessions(options('            '))}
        });
    return builder.Build();
}`,
      ),
      code(
        m.testError,
        'MainPage.xaml.cs',
        `void OnClicked(object sender, EventArgs e) => throw new InvalidOperationException("Hello, Culprit");`,
      ),
    ],
  },
  'dotnet-entityframework': {
    steps: [
      // The SDK listens to EF Core and SqlClient on its own; each query is a span.
      add('Sentry.AspNetCore', 'Microsoft.EntityFrameworkCore.Sqlite'),
      code(
        m.initialize,
        'Program.cs',
        `using Microsoft.EntityFrameworkCore;

${web}
builder.Services.AddDbContext<Shop>(options => options.UseSqlite("Data Source=shop.db"));

var app = builder.Build();

app.MapGet("/test-error", async (Shop shop) =>
    await shop.Books.CountAsync() >= 0 ? throw new InvalidOperationException("Hello, Culprit") : "");

using (var scope = app.Services.CreateScope())
    scope.ServiceProvider.GetRequiredService<Shop>().Database.EnsureCreated();
app.Run();

class Shop(DbContextOptions<Shop> options) : DbContext(options)
{
    public DbSet<Book> Books => Set<Book>();
}

class Book
{
    public int Id { get; set; }
}`,
      ),
      request,
    ],
  },
  'dotnet-wpf': {
    steps: [
      add('Sentry'),
      code(
        m.initialize,
        'App.xaml.cs',
        `using System.Windows;
using Sentry;

public partial class App : Application
{
    public App()
    {
        // Errors of the dispatcher reach the SDK only so.
        DispatcherUnhandledException += (_, e) => SentrySdk.CaptureException(e.Exception);
        SentrySdk.Init(options =>
        {
${options('            ')}
            options.IsGlobalModeEnabled = true;
        });
    }
}`,
      ),
      code(
        m.testError,
        'MainWindow.xaml.cs',
        `void OnClicked(object sender, RoutedEventArgs e) => throw new InvalidOperationException("Hello, Culprit");`,
      ),
    ],
  },
};

export const openTelemetry: readonly SetupStep[] = [
  add(
    'OpenTelemetry.Extensions.Hosting',
    'OpenTelemetry.Exporter.OpenTelemetryProtocol',
    'OpenTelemetry.Instrumentation.AspNetCore',
    'OpenTelemetry.Instrumentation.Http',
  ),
  code(
    m.initialize,
    'Program.cs',
    `using OpenTelemetry;
using OpenTelemetry.Trace;

var builder = WebApplication.CreateBuilder(args);

// Endpoint and headers are those of the environment; logs are exported too.
builder.Services.AddOpenTelemetry()
    .WithTracing(tracing => tracing
        .AddAspNetCoreInstrumentation(options => options.RecordException = true)
        .AddHttpClientInstrumentation())
    .UseOtlpExporter();

var app = builder.Build();
app.Run();`,
  ),
];
