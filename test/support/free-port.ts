/** A TCP port on the loopback address that is free at the moment. */
export { freePort } from '../../src/check/target/serve-command.ts';
