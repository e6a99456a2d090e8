/** Paths without trailing slashes, in one scan from the end: a pattern would start again at each slash. */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
