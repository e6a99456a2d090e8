/** Formats of a drift report: SARIF and JUnit here, texts in drift-text.ts. */
import { changeClasses, type Change, type ChangeClass } from '../../core/drift/compare-locks.ts';
import { escapeXml, sarifText } from '../handlebars/helpers.ts';
import { visible } from '../text.ts';
import { changeLine, githubText, markdownText, terminalText, wordDiff, type DriftReport } from './drift-text.ts';

export const driftFormats = ['terminal', 'json', 'markdown', 'github', 'sarif', 'junit'] as const;
export type DriftFormat = (typeof driftFormats)[number];

/** The report in a format, with a newline at the end. @param toolVersion of mcpc, for SARIF */
export function renderDrift(report: DriftReport, format: DriftFormat, toolVersion: string): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'markdown':
      return markdownText(report);
    case 'github':
      return githubText(report);
    case 'sarif':
      return sarif(report, toolVersion);
    case 'junit':
      return junit(report);
    default:
      return terminalText(report);
  }
}

const meanings: Readonly<Record<ChangeClass | 'unsteady', string>> = {
  security: 'What a model reads or a client trusts is another',
  breaking: 'A caller that worked may fail, or it cannot be decided',
  additive: 'The server offers more',
  cosmetic: 'Words for people alone changed',
  unsteady: 'The server answers differently within one run',
};

function sarif({ changes, unsteady, failsOn, lock, server }: DriftReport, version: string): string {
  const ids = [...changeClasses, 'unsteady'] as const;
  const result = (id: (typeof ids)[number], text: string, member: string): object => ({
    ruleId: `drift/${id}`,
    ruleIndex: ids.indexOf(id),
    kind: 'fail',
    level: id === 'unsteady' || failsOn.includes(id) ? 'error' : 'note',
    message: { text: sarifPlain(text) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: visible(lock) }, region: { startLine: 1 } },
        logicalLocations: [{ name: visible(member), kind: 'member' }],
      },
    ],
    partialFingerprints: { 'mcpcDrift/v1': visible(`${server} ${id} ${member} ${text}`) },
  });
  const document = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'mcpc',
            version,
            rules: ids.map((id) => ({ id: `drift/${id}`, shortDescription: { text: meanings[id] } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: true }],
        results: [
          ...changes.map((change) => result(change.class, changeLine(change), `${change.name}${change.at}`)),
          ...unsteady.map((text) => result('unsteady', text, server)),
        ],
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** SARIF takes brackets for links; the helper gives JSON text. */
function sarifPlain(text: string): string {
  return JSON.parse(sarifText(visible(text))) as string;
}

/** A case for each entry that changed; without changes a single case that passes. */
function junit({ changes, unsteady, failsOn, server, lock }: DriftReport): string {
  const named = new Map<string, Change[]>();
  for (const change of changes) {
    const name = `${change.what} ${change.name}`;
    named.set(name, [...(named.get(name) ?? []), change]);
  }
  const cases = [...named].map(([name, own]) => ({
    name,
    lines: own.filter((change) => failsOn.includes(change.class)).map(detail),
    said: own.filter((change) => !failsOn.includes(change.class)).map(detail),
  }));
  if (unsteady.length > 0) cases.push({ name: 'the same within one run', lines: [...unsteady], said: [] });
  if (cases.length === 0) cases.push({ name: `offers what ${lock} says`, lines: [], said: [] });
  const failures = cases.filter(({ lines }) => lines.length > 0).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!-- written by mcpc -->',
    '<testsuites>',
    `  <testsuite name="${escapeXml(visible(`drift of ${server}`))}" tests="${cases.length}" failures="${failures}">`,
    ...cases.flatMap(({ name, lines, said }) => [
      `    <testcase name="${escapeXml(visible(name))}" classname="${escapeXml(visible(server))}">`,
      ...(lines.length === 0
        ? []
        : [
            `      <failure message="${escapeXml(visible(lines[0]!.split('\n')[0]!))}">${escapeXml(visible(lines.join('\n')))}</failure>`,
          ]),
      ...(said.length === 0 ? [] : [`      <system-out>${escapeXml(visible(said.join('\n')))}</system-out>`]),
      '    </testcase>',
    ]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function detail(change: Change): string {
  const diff = wordDiff(change);
  return `${change.class}: ${changeLine(change)}${diff === undefined ? '' : `\n${diff}`}`;
}
