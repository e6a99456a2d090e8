/** The way into the thread of `mcpc intercept`: what is loaded behind this is compiled once for many starts. Built as dist/intercept-thread.js. */
import { keepCompiledCode } from '../../files/output/compile-cache.ts';

keepCompiledCode();
void import('./thread.ts');
