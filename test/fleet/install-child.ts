/** Installs a package into a cache as a process of its own; prints what it came to. Arguments: spec, cache folder. */
import { installedPackage } from '../../src/check/packages/cache.ts';

const [, , spec = '', cacheDir = ''] = process.argv;
const notices: string[] = [];
const { folder } = await installedPackage(spec, {
  cacheDir,
  allowScripts: false,
  env: process.env,
  onNotice: (line) => notices.push(line),
});
console.log(JSON.stringify({ folder, notices }));
