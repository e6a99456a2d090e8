/** The eight syslog severities, mildest first, and their order. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type Level = (typeof logLevels)[number];

export function isLevel(value: unknown): value is Level {
  return (logLevels as readonly unknown[]).includes(value);
}

/** True if `level` is at least as severe as `threshold`. */
export function reachesLevel(level: Level, threshold: Level): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}
