/** Texts of a server's lists, as files that are written from them need them. Pure. */

/** Text of a server as it may stand in a comment: one line, cut. */
export function commentText(text: string, most = 100): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
