import * as m from '../../../messages/platforms.ts';
import type { Setup } from './template.ts';

export const platforms: Readonly<Record<string, Setup>> = {
  native: {
    sendsSessions: true,
    steps: [
      {
        title: m.buildSdk,
        file: 'https://github.com/getsentry/sentry-native/releases',
        language: 'sh',
        code: `cmake -B build -D CMAKE_BUILD_TYPE=RelWithDebInfo
cmake --build build --parallel
cmake --install build --prefix install`,
      },
      {
        title: m.configureBuild,
        file: 'CMakeLists.txt',
        language: 'cmake',
        code: `find_package(sentry REQUIRED)
target_link_libraries(shop PRIVATE sentry::sentry)`,
      },
      {
        title: m.initialize,
        file: 'main.c',
        language: 'c',
        code: `#include <sentry.h>

int main(void) {
  sentry_options_t *options = sentry_options_new();
  sentry_options_set_dsn(options, "‹dsn›");
  sentry_options_set_database_path(options, ".sentry-native");
‹traces›  sentry_options_set_traces_sample_rate(options, 1.0);
‹logs›  sentry_options_set_enable_logs(options, 1);
‹release›  sentry_options_set_release(options, "shop@1.0.0");
  sentry_init(options);

  sentry_capture_event(sentry_value_new_message_event(SENTRY_LEVEL_ERROR, "shop", "Hello, Culprit"));

  sentry_close();
}`,
      },
    ],
  },
};
