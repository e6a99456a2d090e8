/** What a report calls the rules that it was judged by, where less was asked than the rules ask for: such scores do not compare. */
export function digestFor(digest: string, profile: string | undefined): string {
  return profile === 'quick' ? `${digest}-quick` : digest;
}
