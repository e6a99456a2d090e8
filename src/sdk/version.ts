/** The version of this package, which the build puts in. */
declare const MCPC_VERSION: string | undefined;

export const sdkVersion = typeof MCPC_VERSION === 'string' ? MCPC_VERSION : '0.0.0';
