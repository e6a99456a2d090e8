/** Follows redirects with the cookies on the way, as a browser does. */

/** @param until ends the redirects; the address that it is true of is not asked for */
export async function browse(
  address: string,
  until: (address: URL) => boolean = () => false,
): Promise<{ address: URL; status: number }> {
  const cookies = new Map<string, string>();
  let at = new URL(address);
  for (let step = 0; step < 10; step += 1) {
    if (until(at)) return { address: at, status: 0 };
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    });
    await response.body?.cancel();
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    const next = response.headers.get('location');
    if (next === null) return { address: at, status: response.status };
    at = new URL(next, at);
  }
  throw new Error(`${address} redirects without an end`);
}
