/** Lines that a server without a fault may write to stderr. */
export const noise = '[error] No cache was found.\nError: ENOENT: no such file (ignored)\nWARNING: the start is slow\n';
