/** In which module of the Java platform a class lies; longer names of packages first. */
const modules: readonly (readonly [module: string, ...packages: string[]])[] = [
  ['java.logging', 'java.util.logging', 'sun.util.logging.internal', 'sun.logging'],
  ['java.prefs', 'java.util.prefs'],
  ['java.net.http', 'java.net.http', 'jdk.internal.net.http'],
  ['java.sql', 'java.sql', 'javax.sql'],
  ['java.naming', 'javax.naming', 'com.sun.jndi', 'com.sun.naming'],
  ['java.rmi', 'java.rmi', 'sun.rmi'],
  ['java.management', 'javax.management', 'java.lang.management', 'com.sun.jmx', 'sun.management'],
  ['java.instrument', 'java.lang.instrument', 'sun.instrument'],
  ['java.xml', 'javax.xml', 'org.w3c.dom', 'org.xml.sax', 'com.sun.org.apache.xerces', 'com.sun.org.apache.xalan'],
  ['java.scripting', 'javax.script'],
  ['java.desktop', 'java.awt', 'java.beans', 'java.applet', 'javax.swing', 'javax.imageio', 'javax.print', 'sun.awt'],
  ['java.security.sasl', 'javax.security.sasl', 'com.sun.security.sasl'],
  ['java.security.jgss', 'sun.security.jgss', 'sun.security.krb5', 'org.ietf.jgss'],
  ['jdk.httpserver', 'com.sun.net.httpserver', 'sun.net.httpserver'],
  ['jdk.unsupported', 'sun.misc', 'sun.reflect'],
  ['jdk.zipfs', 'jdk.nio.zipfs'],
  ['jdk.jfr', 'jdk.jfr'],
  ['java.base', 'java.lang', 'java.util', 'java.io', 'java.net', 'java.nio', 'java.time', 'java.text', 'java.math'],
  ['java.base', 'java.security', 'javax.crypto', 'javax.net', 'javax.security', 'jdk.internal', 'sun.net', 'sun.nio'],
  ['java.base', 'sun.security', 'sun.invoke', 'sun.util', 'com.sun.crypto'],
];

export function moduleOf(className: string): string | undefined {
  if (!/^(?:javax?|jdk|sun|com\.sun|org\.(?:w3c|xml|ietf))\./.test(className)) return undefined;
  return modules.find(([, ...packages]) => packages.some((each) => className.startsWith(`${each}.`)))?.[0];
}
