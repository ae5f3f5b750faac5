import { expect, test } from 'vitest';
import type { StackLanguage } from '../types.ts';
import { readStack } from './index.ts';
import { shown } from './testing/shown.ts';

test.each<[StackLanguage, string, string, string]>([
  [
    'ruby',
    'newest first',
    `a.rb:8:in \`rescue in read': cannot read (Shop::OutOfStock)
second line
	from a.rb:5:in \`read'
	from a.rb:13:in \`block in <main>'
	from a.rb:13:in \`each'
	from a.rb:13:in \`<main>'
a.rb:4:in \`Integer': invalid value for Integer(): "two" (ArgumentError)
	from a.rb:4:in \`parse'
	from a.rb:6:in \`read'
	from a.rb:13:in \`block in <main>'
	from a.rb:13:in \`each'
	from a.rb:13:in \`<main>'`,
    `ruby
0: Shop Shop::OutOfStock: cannot read
second line
* <main> @ a.rb:13
* each @ a.rb:13
* block in <main> @ a.rb:13
* read @ a.rb:5
* rescue in read @ a.rb:8
1 cause of 0: ArgumentError: invalid value for Integer(): "two"
* <main> @ a.rb:13
* each @ a.rb:13
* block in <main> @ a.rb:13
* read @ a.rb:6
* parse @ a.rb:4
* Integer @ a.rb:4`,
  ],
  [
    'ruby',
    'oldest first',
    `Traceback (most recent call last):
	5: from a.rb:13:in \`<main>'
	4: from a.rb:13:in \`each'
	3: from a.rb:13:in \`block in <main>'
	2: from a.rb:6:in \`read'
	1: from a.rb:4:in \`parse'
a.rb:4:in \`Integer': invalid value for Integer(): "two" (ArgumentError)
	4: from a.rb:13:in \`<main>'
	3: from a.rb:13:in \`each'
	2: from a.rb:13:in \`block in <main>'
	1: from a.rb:5:in \`read'
a.rb:8:in \`rescue in read': cannot read (Shop::OutOfStock)
second line`,
    `ruby
0: Shop Shop::OutOfStock: cannot read
second line
* <main> @ a.rb:13
* each @ a.rb:13
* block in <main> @ a.rb:13
* read @ a.rb:5
* rescue in read @ a.rb:8
1 cause of 0: ArgumentError: invalid value for Integer(): "two"
* <main> @ a.rb:13
* each @ a.rb:13
* block in <main> @ a.rb:13
* read @ a.rb:6
* parse @ a.rb:4
* Integer @ a.rb:4`,
  ],
  [
    'ruby',
    'a list of calls',
    `a.rb:8:in \`rescue in read'
a.rb:5:in \`read'
a.rb:13:in \`block in <main>'
a.rb:13:in \`each'
a.rb:13:in \`<main>'`,
    `ruby
0: : 
* <main> @ a.rb:13
* each @ a.rb:13
* block in <main> @ a.rb:13
* read @ a.rb:5
* rescue in read @ a.rb:8`,
  ],
  [
    'ruby',
    'as Ruby 3.4 names calls',
    `/app/app/models/cart.rb:14:in 'Shop::Cart#read': undefined method 'foo' for nil (NoMethodError)

    nil.foo
       ^^^^
	from /usr/local/bundle/gems/rack-3.1.8/lib/rack/builder.rb:10:in 'Rack::Builder#call'
	from /usr/lib/ruby/3.4.0/set.rb:501:in 'Set#each'
	from <internal:kernel>:187:in 'loop'
	from /app/config.ru:3:in '<main>'`,
    `ruby
0: NoMethodError: undefined method 'foo' for nil

    nil.foo
       ^^^^
* <main> @ config.ru:3
  Set each @ set.rb:501
  Rack::Builder call @ rack/builder.rb:10
* Shop::Cart read @ app/models/cart.rb:14`,
  ],
  [
    'php',
    'what the log has',
    `PHP Fatal error:  Uncaught InvalidArgumentException: bad: two in /tmp/rt/a.php:5
Stack trace:
#0 /tmp/rt/a.php(4): App\\Cart->parse()
#1 /tmp/rt/a.php(6): App\\Cart->read()
#2 [internal function]: App\\Cart::App\\{closure}()
#3 /tmp/rt/a.php(6): array_map()
#4 /tmp/rt/a.php(7): App\\Cart::map()
#5 {main}

Next App\\Bad: cannot
read in /tmp/rt/a.php:4
Stack trace:
#0 /tmp/rt/a.php(6): App\\Cart->read()
#1 [internal function]: App\\Cart::App\\{closure}()
#2 /tmp/rt/a.php(6): array_map()
#3 /tmp/rt/a.php(7): App\\Cart::map()
#4 {main}
  thrown in /tmp/rt/a.php on line 4`,
    `php
0: App App\\Bad: cannot
read
*  @ rt/a.php:7
* App\\Cart map @ rt/a.php:6
  array_map @
* App\\Cart App\\{closure} @ rt/a.php:6
* App\\Cart read @ rt/a.php:4
1 cause of 0: InvalidArgumentException: bad: two
*  @ rt/a.php:7
* App\\Cart map @ rt/a.php:6
  array_map @
* App\\Cart App\\{closure} @ rt/a.php:6
* App\\Cart read @ rt/a.php:4
* App\\Cart parse @ rt/a.php:5`,
  ],
  [
    'php',
    'as Laravel logs it',
    `[2026-11-26 08:12:39] production.ERROR: cannot {"exception":"[object] (RuntimeException(code: 0): cannot at /var/www/html/app/Cart.php:14)
[stacktrace]
#0 /var/www/html/vendor/laravel/framework/src/Controller.php(54): App\\Cart->read()
#1 /var/www/html/public/index.php(51): require_once()
#2 {main}
"}`,
    `php
0: RuntimeException: cannot
*  @ public/index.php:51
  require_once @ laravel/framework/src/Controller.php:54
* App\\Cart read @ app/Cart.php:14`,
  ],
  [
    'php',
    'as OpenTelemetry prints it',
    `App\\Errors\\Bad: cannot
	at App.Cart.read(Cart.php:14)
	at {main}(index.php:3)
Caused by: InvalidArgumentException: two
	at App.Cart.parse(Cart.php:9)
	... 2 more`,
    `php
0: App\\Errors App\\Errors\\Bad: cannot
* {main} @ index.php:3
* App\\Cart read @ Cart.php:14
1 cause of 0: InvalidArgumentException: two
* {main} @ index.php:3
* App\\Cart read @ Cart.php:14
* App\\Cart parse @ Cart.php:9`,
  ],
  [
    'elixir',
    'an exception',
    `** (Shop.OutOfStock) cannot read "two"
second line
    (shop 0.1.0) lib/shop/cart.ex:14: Shop.Cart.read/1
    (elixir 1.14.0) lib/enum.ex:1658: Enum."-map/2-lists^map/1-0-"/2
    (shop 0.1.0) lib/shop/cart.ex:20: anonymous fn/1 in Shop.Cart.all/1
    (stdlib 4.2) erl_eval.erl:748: :erl_eval.do_apply/7
    (stdlib 4.2) :proc_lib.init_p_do_apply/3
    app.exs:1: (file)`,
    `elixir
0: Shop.OutOfStock: cannot read "two"
second line
* (file) @ app.exs:1
  (stdlib) :proc_lib :proc_lib.init_p_do_apply/3 @
  (stdlib) :erl_eval :erl_eval.do_apply/7 @ erl_eval.erl:748
* (shop) Shop.Cart anonymous fn/1 in Shop.Cart.all/1 @ lib/shop/cart.ex:20
  (elixir) Enum Enum."-map/2-lists^map/1-0-"/2 @ lib/enum.ex:1658
* (shop) Shop.Cart Shop.Cart.read/1 @ lib/shop/cart.ex:14`,
  ],
  [
    'elixir',
    'in a log',
    `08:12:39.123 [error] GenServer Shop.Till terminating
** (RuntimeError) till
    (shop 0.1.0) lib/shop/till.ex:9: Shop.Till.handle_call/3
    (stdlib 4.2) gen_server.erl:1149: :gen_server.try_handle_call/4
Last message (from #PID<0.120.0>): :close`,
    `elixir
0: RuntimeError: till
  (stdlib) :gen_server :gen_server.try_handle_call/4 @ gen_server.erl:1149
* (shop) Shop.Till Shop.Till.handle_call/3 @ lib/shop/till.ex:9`,
  ],
])('%s: %s', (language, _what, text, expected) => {
  expect(shown(readStack(text, language)).join('\n')).toBe(expected);
});
