/** Lines that a server without a fault may write to stderr. */
export const noise =
  '[error] mcpc writes these lines to stderr on purpose; they report no failure\nWARNING: the start is slow\n';
