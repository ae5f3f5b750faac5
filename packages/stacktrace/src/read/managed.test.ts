import { expect, test } from 'vitest';
import type { StackLanguage } from '../types.ts';
import { readStack } from './index.ts';
import { shown } from './testing/shown.ts';

test.each<[StackLanguage, string, string, string]>([
  [
    'java',
    'causes, suppressed ones and their causes',
    `Exception in thread "main" com.example.Main$OutOfStock: cannot read two
	at com.example.Main.read(Main.java:7)
	at java.base/java.util.stream.ReferencePipeline$3$1.accept(ReferencePipeline.java:197)
	at java.base/java.util.stream.ReferencePipeline.toList(ReferencePipeline.java:627)
	at com.example.Main.main(Main.java:9)
Caused by: java.lang.NumberFormatException: For input string: "two"
	at java.base/java.lang.NumberFormatException.forInputString(NumberFormatException.java:67)
	at java.base/java.lang.Integer.parseInt(Integer.java:668)
	at java.base/java.lang.Integer.parseInt(Integer.java:786)
	at com.example.Main.parse(Main.java:6)
	... 4 more
	Suppressed: java.lang.IllegalStateException: till
does not close
		at com.example.Main$Till.close(Main.java:5)
		... 4 more
	Caused by: java.lang.RuntimeException: deep
		... 5 more`,
    `java main
0: com.example Main$OutOfStock: cannot read two
* com.example.Main main @ Main.java:9
  (java.base) java.util.stream.ReferencePipeline toList @ ReferencePipeline.java:627
  (java.base) java.util.stream.ReferencePipeline$3$1 accept @ ReferencePipeline.java:197
* com.example.Main read @ Main.java:7
1 cause of 0: java.lang NumberFormatException: For input string: "two"
* com.example.Main main @ Main.java:9
  (java.base) java.util.stream.ReferencePipeline toList @ ReferencePipeline.java:627
  (java.base) java.util.stream.ReferencePipeline$3$1 accept @ ReferencePipeline.java:197
* com.example.Main read @ Main.java:7
* com.example.Main parse @ Main.java:6
  (java.base) java.lang.Integer parseInt @ Integer.java:786
  (java.base) java.lang.Integer parseInt @ Integer.java:668
  (java.base) java.lang.NumberFormatException forInputString @ NumberFormatException.java:67
2 suppressed of 1: java.lang IllegalStateException: till
does not close
* com.example.Main main @ Main.java:9
  (java.base) java.util.stream.ReferencePipeline toList @ ReferencePipeline.java:627
  (java.base) java.util.stream.ReferencePipeline$3$1 accept @ ReferencePipeline.java:197
* com.example.Main read @ Main.java:7
* com.example.Main$Till close @ Main.java:5
3 cause of 2: java.lang RuntimeException: deep
* com.example.Main main @ Main.java:9
  (java.base) java.util.stream.ReferencePipeline toList @ ReferencePipeline.java:627
  (java.base) java.util.stream.ReferencePipeline$3$1 accept @ ReferencePipeline.java:197
* com.example.Main read @ Main.java:7
* com.example.Main$Till close @ Main.java:5`,
  ],
  [
    'java',
    'a circle',
    `Exception in thread "main" java.lang.RuntimeException: a
	at com.example.Main.main(Main.java:10)
Caused by: java.lang.RuntimeException: b
	... 1 more
Caused by: [CIRCULAR REFERENCE: java.lang.RuntimeException: a]`,
    `java main
0: java.lang RuntimeException: a
* com.example.Main main @ Main.java:10
1 cause of 0: java.lang RuntimeException: b
* com.example.Main main @ Main.java:10
2 cause of 1: java.lang RuntimeException: a`,
  ],
  [
    'java',
    'a thread',
    `Exception in thread "worker-7" java.lang.Error
	at com.example.Main.lambda$main$0(Main.java:11)
	at java.base/java.lang.Thread.run(Thread.java:840)`,
    `java worker-7
0: java.lang Error: 
  (java.base) java.lang.Thread run @ Thread.java:840
* com.example.Main lambda$main$0 @ Main.java:11`,
  ],
  [
    'java',
    'after lines of a log, with what frameworks add',
    `2026-11-26 08:12:39.123 ERROR 1 --- [nio-8080-exec-1] c.e.shop.Controller : request failed

com.example.shop.OrderFailed: order 7
	at app//com.example.shop.Orders.place(Orders.kt:21) ~[shop.jar!/:na]
	at com.example.shop.Orders$$Lambda/0x00007f1c0c0a1b40.run(Unknown Source)
	at java.base@21.0.2/jdk.internal.Reflected.invoke(Native Method)
	at com.example.shop.OrdersTest.\`places an order\`(OrdersTest.kt)
	Suppressed: com.example.shop.A: a
		at com.example.shop.A.close(A.kt:1)
		Suppressed: com.example.shop.B: b
			at com.example.shop.B.close(B.kt:2)
			... 2 common frames omitted
	Suppressed: com.example.shop.C
		at com.example.shop.C.close(C.kt:3)
Caused by: java.io.IOException: first line
  second line: at x
	at com.example.shop.Db.read(Db.kt:9)
	... 3 more
INFO next
	at not.this.one(X.java:1)`,
    `java
0: com.example.shop OrderFailed: order 7
* com.example.shop.OrdersTest \`places an order\` @ OrdersTest.kt
  (java.base@21.0.2) jdk.internal.Reflected invoke @  native
* com.example.shop.Orders$$Lambda/0x00007f1c0c0a1b40 run @
* (app) com.example.shop.Orders place @ Orders.kt:21
1 suppressed of 0: com.example.shop A: a
* com.example.shop.A close @ A.kt:1
2 suppressed of 1: com.example.shop B: b
* com.example.shop.A close @ A.kt:1
* com.example.shop.B close @ B.kt:2
3 suppressed of 0: com.example.shop C: 
* com.example.shop.C close @ C.kt:3
4 cause of 0: java.io IOException: first line
  second line: at x
* com.example.shop.OrdersTest \`places an order\` @ OrdersTest.kt
  (java.base@21.0.2) jdk.internal.Reflected invoke @  native
* com.example.shop.Orders$$Lambda/0x00007f1c0c0a1b40 run @
* com.example.shop.Db read @ Db.kt:9`,
  ],
  [
    'csharp',
    'an inner exception',
    `Unhandled exception. Shop.OutOfStockException: cannot read two
second line
 ---> System.FormatException: The input string 'two' was not in a correct format.
   at System.Number.ThrowFormatException[TChar](ReadOnlySpan\`1 value)
   at System.Int32.Parse(String s)
   at Shop.Cart.Parse(String text) in /srv/app/Cart.cs:line 12
   at Shop.Cart.Read(String text) in /srv/app/Cart.cs:line 17
   --- End of inner exception stack trace ---
   at Shop.Cart.Read(String text) in /srv/app/Cart.cs:line 21
   at Shop.Cart.<>c__DisplayClass0_0.<All>b__0(String x) in C:\\src\\shop\\Cart.cs:line 30
--- End of stack trace from previous location ---
   at Shop.Cart..ctor()
   at Shop.Program.<Main>$(String[] args) in /srv/app/Program.cs:line 5`,
    `csharp
0: Shop OutOfStockException: cannot read two
second line
* Shop.Program <Main>$ @ Program.cs:5
* Shop.Cart .ctor @
* Shop.Cart.<>c__DisplayClass0_0 <All>b__0 @ shop/Cart.cs:30
* Shop.Cart Read @ Cart.cs:21
1 cause of 0: System FormatException: The input string 'two' was not in a correct format.
* Shop.Cart Read @ Cart.cs:17
* Shop.Cart Parse @ Cart.cs:12
  System.Int32 Parse @
  System.Number ThrowFormatException[TChar] @`,
  ],
  [
    'csharp',
    'several inner exceptions',
    `System.AggregateException: One or more errors occurred. (a) (b)
 ---> System.InvalidOperationException: a
   at Shop.Program.A() in /srv/app/Program.cs:line 8
   --- End of inner exception stack trace ---
   at System.Threading.Tasks.Task.WaitAllCore(Task[] tasks)
   at Shop.Program.Main() in /srv/app/Program.cs:line 20
 ---> (Inner Exception #1) System.ArgumentException: b
 ---> System.FormatException: deep
   at Shop.Program.C() in /srv/app/Program.cs:line 12
   --- End of inner exception stack trace ---
   at Shop.Program.B() in /srv/app/Program.cs:line 14<---`,
    `csharp
0: System AggregateException: One or more errors occurred. (a) (b)
* Shop.Program Main @ Program.cs:20
  System.Threading.Tasks.Task WaitAllCore @
1 member of 0: System InvalidOperationException: a
* Shop.Program A @ Program.cs:8
2 member of 0: System ArgumentException: b
* Shop.Program B @ Program.cs:14
3 cause of 2: System FormatException: deep
* Shop.Program C @ Program.cs:12`,
  ],
])('%s: %s', (language, _what, text, expected) => {
  expect(shown(readStack(text, language)).join('\n')).toBe(expected);
});
