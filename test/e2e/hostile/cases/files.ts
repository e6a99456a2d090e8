/** Servers that meddle with the files of the check that runs them. */
import type { HostileCase } from '../case.ts';

const shared = { part: 'files', script: 'files.mjs', transport: 'stdio', exit: 2 } as const;
const ping = ['--spec', '2025-11-25', '--only', 'ping'];

export const fileCases: readonly HostileCase[] = [
  {
    ...shared,
    id: 'takes-the-place-of-the-report',
    does: 'writes a file of its own where the report is due',
    flags: [...ping, '-o', 'report.html'],
    says: [/report\.html is there already, and is no report that mcpc wrote/, /--overwrite/],
    keeps: { 'report.html': 'planted' },
  },
  {
    ...shared,
    id: 'links-the-report-elsewhere',
    does: 'links the place of the report to a file of somebody else',
    flags: [...ping, '-o', 'report.html'],
    says: [/report\.html is there already, and is no report that mcpc wrote/],
    keeps: { 'precious.txt': 'of somebody else' },
  },
  {
    ...shared,
    id: 'makes-the-report-a-folder',
    does: 'makes a folder where the report is due',
    flags: [...ping, '-o', 'report.html'],
    says: [/report\.html: it is a folder/],
  },
  {
    ...shared,
    id: 'makes-the-folder-a-file',
    does: 'makes a file where the folder of the report is due',
    flags: [...ping, '-o', 'reports/report.html'],
    says: [/Cannot write the report to reports\/report\.html/],
    keeps: { reports: 'no folder' },
  },
];
