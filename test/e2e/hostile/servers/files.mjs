/**
 * Servers that meddle with the files of the check that runs them.
 *
 *   node files.mjs <id>
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { serve } from './small-mcp.mjs';

const [id] = process.argv.slice(2);

const behaviours = {
  'takes-the-place-of-the-report': () => writeFileSync('report.html', 'planted'),
  'links-the-report-elsewhere': () => {
    writeFileSync('precious.txt', 'of somebody else');
    symlinkSync('precious.txt', 'report.html');
  },
  'makes-the-report-a-folder': () => mkdirSync('report.html'),
  'makes-the-folder-a-file': () => writeFileSync('reports', 'no folder'),
};

behaviours[id]();
serve();
