/** Digest of the rules in a report of a partial profile: such scores do not compare. */
export function digestFor(digest: string, profile: string | undefined): string {
  return profile === 'quick' ? `${digest}-quick` : digest;
}
