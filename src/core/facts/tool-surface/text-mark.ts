/** Short stand-ins for long texts that are only compared. Pure. */

/** Stands for a text: of a long one its length and a hash, so that thousands of pages take little room. */
export function textMark(text: string): string {
  if (text.length <= 100) return text;
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return `${text.length} ${a} ${b}`;
}
