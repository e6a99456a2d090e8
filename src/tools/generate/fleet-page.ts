/** Writes generated/FLEET.md: the settings of servers in a fleet file, and the files of MCP clients that mcpc reads. */
import { placeInFile } from '../../check/settings/layers.ts';
import type { Row } from '../../check/settings/row.ts';
import { rows } from '../../check/settings/table.ts';
import { otherFiles } from '../../check/target/clients/other-file.ts';
import { usualSpelling, type ClientTool } from '../../check/target/clients/spelling.ts';
import { clientTools } from '../../check/target/clients/tools.ts';
import { code, markdownTable } from './markdown.ts';
import type { Generator } from './outputs.ts';

/** Writes the page of tables about fleet files. */
export const generateFleetPage: Generator = () =>
  Promise.resolve({
    'generated/FLEET.md': `# Fleet files: settings and files of MCP clients

Written by \`npm run generate\`. [docs/fleet.md](../docs/fleet.md) explains fleet files.

## Settings of a server

The flags are those of \`mcpc check\`. Flags with a star are flags of \`mcpc fleet check\` too, for all servers of the file.

${markdownTable(
  ['setting', 'meaning', 'flag'],
  rows.map(([name, row]) => [code(placeInFile(name, row).join('.')), fromGenerated(row.docs), flagIn(row)]),
)}

## Configuration files of MCP clients

\`~\` is the home folder, \`{data}\` the folder of the system for program settings: \`~/.config\`, \`~/Library/Application Support\` or \`%APPDATA%\`. Files with other names are recognised by content, and each spelling works in each file.

${markdownTable(['tool', 'files', 'servers, and other spellings', 'remarks'], clientTools.map(toolRow))}

## Rejected files

${markdownTable(
  ['tool', 'its file is', 'remedy'],
  otherFiles.map(({ tool, what, remedy }) => [tool, what, remedy]),
)}
`,
  });

/** The flag of a setting, and its commands. */
function flagIn({ flags }: Row): string {
  if (flags === undefined) return '';
  const { name, fleet, ...others } = flags;
  const isOfCheck = ['target', 'network', 'tools', 'gate', 'check'].some((set) => set in others);
  if (!isOfCheck) return `${code(`--${name}`)} of ${code('fleet check')}`;
  return `${code(`--${name}`)}${fleet === undefined ? '' : ' \\*'}`;
}

/** A text of docs/fleet.md with its links as they are from the folder generated. */
function fromGenerated(text: string): string {
  return text.replaceAll('](#', '](../docs/fleet.md#').replaceAll(/\]\((?=[a-z-]+\.md)/g, '](../docs/');
}

function toolRow({ tool, project = [], user = [], servers, spelling = {}, remark = '' }: ClientTool): string[] {
  const places = servers.map((path) => (path.length === 0 ? 'the file itself' : code(path.join('.'))));
  const own = Object.entries(spelling).flatMap(([meaning, names]) => {
    const usual = usualSpelling[meaning as keyof typeof usualSpelling][0];
    return names
      .filter((name) => name !== usual)
      .map((name) => (usual === undefined ? code(name) : `${code(name)} for ${code(usual)}`));
  });
  return [tool, [...project, ...user].map(code).join(', '), [places.join(', '), ...own].join('; '), remark];
}
