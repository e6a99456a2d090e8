/** wrap-ansi 7 carries no types; this is what the terminal report uses of it. */
declare module 'wrap-ansi' {
  export default function wrapAnsi(
    text: string,
    columns: number,
    options?: { hard?: boolean; trim?: boolean; wordWrap?: boolean },
  ): string;
}
