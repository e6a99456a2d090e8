/** How a check logs in. Shapes only. */

export const loginFlows = ['client-credentials', 'code', 'headless'] as const;
export type LoginFlow = (typeof loginFlows)[number];

export interface LoginOptions {
  flow: LoginFlow;
  /** A client that the authorization server registers by itself when absent. */
  clientId?: string;
  clientSecret?: string;
  /** With blanks between; what the target asks for when absent. */
  scope?: string;
  /** Port of the redirect URI. */
  redirectPort?: number;
}
