/** Words of which the passwords that are tried first are made, alone, in pairs, or with digits and signs around them. */
export const commonWords = `
password passwort passwd pass passphrase motdepasse contrasena senha parola haslo wachtwoord heslo secret secrets geheim
letmein welcome willkommen bienvenue login logon signin account admin administrator root toor system sysadmin superuser
user username guest test tester testing demo default changeme change temp temporary master manager access private public
server service support office company business internet computer laptop windows microsoft google facebook instagram
twitter youtube amazon apple iphone android samsung nokia sony playstation nintendo xbox minecraft pokemon fortnite
roblox starwars matrix batman superman spiderman ironman wolverine hulk joker avengers marvel naruto pikachu zelda
mario sonic hello hola bonjour hallo ciao howdy goodbye thanks please
iloveyou iloveu iloveme iloveher iloveit loveyou loveme love lover lovers lovely loveis fuckyou fuckme fuckoff fuck
bitch asshole sexy sexsex pussy cunt whatever nothing none null unknown something anything trustno noaccess
qwerty qwertz azerty asdf asdfgh zxcvbn qazwsx qwert abcd abcdef abcabc
monkey dragon tiger lion eagle falcon wolf bear panther cheetah dolphin shark horse kitty kitten puppy doggie
cookie chicken turkey penguin butterfly bulldog mustang bronco cobra snake scorpion spider phoenix unicorn
sunshine princess prince queen king angel angels devil heaven jesus christ god blessed faith hope grace trinity
football baseball basketball soccer hockey tennis golf golfer rugby cricket swimming racing runner skater surfer
arsenal chelsea liverpool manchester united barcelona realmadrid juventus milan bayern cowboys yankees lakers
steelers redsox eagles raiders packers broncos patriots dodgers rangers celtics bulls dallas
michael michelle jennifer jessica ashley amanda nicole daniel andrew joshua matthew anthony robert thomas charlie
jordan hunter harley ranger buster hannah samantha jasmine maria natasha victoria elizabeth alexander alexandra
christian christopher benjamin william jonathan nicholas patrick richard steven stephen george david james john
peter paul mark martin simon stefan sebastian florian andreas markus wolfgang juergen brandon justin austin tyler
taylor morgan madison melissa vanessa rebecca rachel sabrina stephanie valentina veronica caroline catherine
barbara patricia margaret dorothy charlotte olivia sophie sophia isabella gabriel gabriela fernando francisco
alejandro roberto carlos miguel antonio giovanni francesco alessandro federico mohammed muhammad ahmed abdullah
sergey vladimir dmitry natalia svetlana ekaterina
summer winter spring autumn sommer january february march april june july august september october november december
monday tuesday wednesday thursday friday saturday sunday freitag montag today tomorrow
america england london paris berlin germany france spain italy russia brazil mexico canada australia india china
japan texas florida california chicago boston newyork houston denver phoenix miami
orange banana apple cherry strawberry chocolate cheese coffee pepper ginger peaches candy sugar honey butter pizza
flower flowers rose daisy lily rainbow star stars moon sunny cloud thunder lightning storm ocean river mountain
black white green purple yellow silver golden gold diamond crystal blue pink red
corvette ferrari porsche mercedes camaro chevy honda yamaha toyota nissan suzuki kawasaki subaru volvo jaguar
maverick gandalf merlin warrior knight ninja samurai pirate wizard magic killer hunter shadow ghost legend hero
freedom liberty victory winner champion champ power energy turbo rocket metallica nirvana slipknot greenday eminem
beatles elvis guitar music dancer dancing rockstar rocknroll babygirl babyboy baby babe honeybee sweetheart sweety
darling family forever friends friend bestfriend mother father mommy daddy brother sister grandma mylove myspace
lovelove happy smile smiley lucky crazy cool coolest awesome super hottie hotstuff peanut pumpkin snoopy scooby
tigger garfield mickey minnie donald disney barney winnie simpsons homer bart southpark starcraft warcraft
counterstrike blink slayer redskins einstein mozart picasso newton shakespeare
sample example monitoring monitor error errors sentry culprit developer develop development production staging
database mysql postgres oracle linux ubuntu debian redhat docker jenkins github gitlab kubernetes cisco
security secure qwerqwer trust verify unlock open opensesame sesame enter entry start begin money cash dollar
bitcoin crypto wallet bank banking credit
`
  .trim()
  .split(/\s+/);
