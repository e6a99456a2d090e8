/** How a target guards itself, as far as rules of connections ask for it. */
/** What all connections of a trace know of the matter. */
export interface Guard {
  /** Some request was refused for its credentials, or the want of them. */
  challenged: boolean;
}
