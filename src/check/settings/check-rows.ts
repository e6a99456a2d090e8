/** Settings of how a server is checked and reported, in the order of the schema. */
import type { Revision } from '../../core/model/rules/requirement.ts';
import { revisions } from '../../core/spec/revisions.ts';
import { duration, grade, number, path, plain, serverPath, serverPaths, text, toggle, union } from './kinds.ts';
import type { Row } from './row.ts';

/** Revision setting of a server: one revision, the newest spoken, all spoken, or the spoken ones of a list. */
export type EntrySpec = Revision | 'auto' | 'each' | readonly Revision[];

const noTags: string[] = [];

export const checkRows = {
  spec: {
    kind: plain<EntrySpec>({ $ref: '#/$defs/spec' }),
    docs: 'the revision to check, by default (`auto`) the newest that the server speaks; `each` or a list for [several](#several-revisions)',
    entry: false,
    flags: {
      name: 'spec',
      as: 'text',
      value: 'REVISION[,REVISION]',
      target: {
        group: 'PROBING',
        summary: `Revision of the specification to judge by: auto (the newest that the server supports), or one of ${revisions.join(', ')}.`,
        value: 'REVISION',
        usual: 'auto',
      },
      check: {
        group: 'PROBING',
        summary: `Revisions of the specification to judge by: auto (the newest that the server supports), each (all that it supports, one after another), or one or more of ${revisions.join(', ')}, separated by commas. If you name several, a revision that the server does not speak is reported, not failed.`,
        usual: 'auto',
      },
      fleet: {
        group: 'PROBING',
        summary: `Revisions of the specification to judge every server by: auto (the newest that it supports), each (all that it supports, a line for each), or one or more of ${revisions.join(', ')}, separated by commas. [default: as in the file]`,
      },
    },
  },
  requestTimeout: {
    kind: duration,
    says: 'Of one answer; 10s by default.',
    docs: 'deadline of one answer: milliseconds, or `500ms`, `30s`, `5m`, `1h`',
    file: { in: 'timeouts', name: 'request' },
    entry: { in: 'timeouts', name: 'requestMs' },
    list: true,
    line: 'all but suites',
    flags: {
      name: 'timeout',
      as: 'duration',
      target: { group: 'PROBING', summary: 'Time limit for each later response. [default: 10s]' },
      fleet: { group: 'PROBING', summary: 'Time limit for each later response. [default: as in the file, or 10s]' },
    },
  },
  startTimeout: {
    kind: duration,
    says: 'Of the first answer; 30s by default.',
    docs: 'deadline of the first answer',
    file: { in: 'timeouts', name: 'start' },
    entry: { in: 'timeouts', name: 'startMs' },
    list: true,
    line: 'all',
    flags: {
      name: 'start-timeout',
      as: 'duration',
      target: { group: 'SERVER PROCESS', summary: 'Time limit for the first response. [default: 30s]' },
      fleet: { group: 'PROBING', summary: 'Time limit for the first response. [default: as in the file, or 30s]' },
    },
  },
  checkTimeout: {
    kind: duration,
    says: 'Of the whole check of one server; 5m by default.',
    docs: 'deadline of the whole check',
    file: { in: 'timeouts', name: 'check' },
    entry: { in: 'timeouts', name: 'checkMs' },
    list: true,
    line: 'all',
    flags: {
      name: 'check-timeout',
      as: 'duration',
      check: {
        group: 'PROBING',
        summary: 'Time limit of the whole check; after it the report is incomplete. [default: 10m]',
      },
      fleet: { group: 'PROBING', summary: 'Time limit for the check of a server. [default: as in the file, or 5m]' },
    },
  },
  tags: {
    kind: union('tags'),
    docs: 'for `--only tag:prod`, policies and the report',
    usual: noTags,
    list: true,
  },
  owner: {
    kind: text,
    says: 'Team or person that the report names.',
    docs: 'for `--skip owner:support` and the report',
    list: true,
  },
  hints: {
    kind: serverPath,
    says: 'File of hints, see docs/hints.md. {{id}} stands for the id of the server; such a file may be missing.',
    docs: 'file of [hints](hints.md). `{{id}}` is the id of the server; only then may the file be missing',
    list: true,
    line: 'all',
    flags: {
      name: 'hints',
      as: 'text',
      value: 'hints.yaml',
      check: {
        group: 'PROBING',
        summary:
          'Hints file (YAML) with what mcpc cannot find out about the server: tool arguments, which tool is slow, and the like. See docs/hints.md; "mcpc hints init" writes one to edit.',
      },
    },
  },
  baseline: {
    kind: serverPath,
    says: 'File of known failures. {{id}} stands for the id of the server; such a file may be missing.',
    docs: 'file of known failures; `{{id}}` as for `hints`',
    list: true,
    line: 'check',
    flags: {
      name: 'baseline',
      as: 'text',
      value: 'FILE',
      gate: {
        group: 'GATE',
        summary:
          'JSON file of known failures. The exit code is 1 only for other failures, and for known ones that pass now.',
      },
    },
  },
  suites: {
    kind: serverPaths,
    says: 'Files and folders of suites that are run against the server after its check, see docs/suites.md. {{id}} stands for the id of the server; such a file may be missing.',
    docs: 'files and folders of [suites](suites.md) to run after the check; `{{id}}` as for `hints`',
    list: true,
  },
  fixture: {
    kind: path,
    says: 'Folder of files for the suites; each case has a copy of it.',
    docs: 'folder of files for the suites; each case gets a copy',
  },
  grade: {
    kind: grade,
    says: 'Grade that the server is expected to reach; a worse one breaks the policy.',
    docs: 'expected grade',
    entry: { name: 'expectedGrade' },
    list: true,
  },
  allowDestructive: {
    kind: toggle,
    says: 'Call every tool that is not denied.',
    docs: 'call every tool that is not denied. By default only tools that certainly read are called; the report lists the others with the reason',
    usual: false,
    list: true,
    option: true,
    line: 'all',
    flags: {
      name: 'allow-destructive',
      as: 'switch',
      tools: {
        group: 'TOOLS',
        summary:
          'Call every tool that is not denied. By default mcpc calls only tools with readOnlyHint: true, and tools without annotations whose name and description say that they only read; the report lists the others.',
      },
    },
  },
  allowTools: {
    kind: union('toolNames'),
    says: 'Tools that are called although they may change something.',
    docs: 'tools, by name or glob, to call although they may change something',
    list: true,
    option: true,
    line: 'all',
    flags: {
      name: 'allow-tool',
      as: 'words',
      value: "NAME|'glob*'",
      tools: {
        group: 'TOOLS',
        summary: 'Call this tool even if it may change something; a name or a glob. Repeats.',
      },
    },
  },
  denyTools: {
    kind: union('toolNames'),
    says: 'Tools that are never called.',
    docs: 'tools never to call; takes precedence over `allowTools`',
    list: true,
    option: true,
    line: 'all',
    flags: {
      name: 'deny-tool',
      as: 'words',
      value: "NAME|'glob*'",
      tools: { group: 'TOOLS', summary: 'Never call this tool, whatever else is allowed. Repeats.' },
    },
  },
  maxRate: {
    kind: number(0.1, 10_000),
    says: 'Most requests a second.',
    docs: 'most requests a second, for shared servers',
    list: true,
    option: true,
    line: 'all',
    flags: {
      name: 'max-rate',
      as: 'number',
      value: 'N',
      min: 0.1,
      max: 10_000,
      check: {
        group: 'PROBING',
        summary:
          'Maximum requests per second, for shared servers. [default: unlimited, slower where the server says that it is too busy]',
      },
      fleet: { group: 'PROBING', summary: 'Maximum requests per second to each server. [default: as in the file]' },
    },
  },
  allowScripts: {
    kind: toggle,
    says: 'Let npm packages run their install scripts.',
    docs: 'let the npm package run its install scripts',
    servers: 'packages',
    entry: false,
    flags: {
      name: 'allow-scripts',
      as: 'switch',
      fleet: { group: 'PROBING', summary: 'Allow npm packages to run their install scripts.' },
    },
  },
} as const satisfies Record<string, Row>;
