/** Which hosts are the own machine. */

/** @param hostname of a parsed http or https address: in lower case, IPv6 in brackets */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}
