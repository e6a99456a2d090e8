/** A document without `version` is one case in mcp-assert's form. */
import { blocks } from '../blocks/table.ts';
import type { ServerBlock, SuiteCase } from '../model.ts';
import { timeoutOf } from '../duration-part.ts';
import { readFeatures } from './features-part.ts';
import type { Part } from '../part.ts';
import { aroundOf } from './steps-part.ts';
import type { Problem } from '../yaml-source.ts';

export interface FileNames {
  /** As it was named, for messages and reports. */
  path: string;
  /** The last part of it. */
  base: string;
}

/** @param number which of the cases of the file, from 1: a file may hold documents of both forms */
export function readAssertCase(file: Part, names: FileNames, number: number, problems: Problem[]): SuiteCase {
  const block = blocks.find(({ key }) => file.has(key));
  const made = block?.read(file.at(block.key), file);
  const name = file.at('name').text() ?? '';
  const server = readServer(file.at('server'));
  const features =
    server?.features?.sampling === undefined ? { ...server?.features, ...made?.features } : server.features;
  const timeoutMs = timeoutOf(file.at('timeout'), problems);
  const skipVariable = file.at('skip_unless_env').text();
  return {
    id: `${names.path}#${number}`,
    name: name === '' ? names.base : name,
    file: names.path,
    place: file.place,
    form: 'assert',
    block: block?.key ?? 'assert',
    ...(made?.about === undefined ? {} : { about: made.about }),
    tags: file
      .at('tags')
      .items()
      .map((tag) => tag.text() ?? ''),
    server:
      block?.key === 'trajectory'
        ? undefined
        : { ...(server ?? emptyServer()), ...(Object.keys(features).length === 0 ? {} : { features }) },
    steps: made?.steps.map((step) =>
      step.id === block!.key && block!.expects === 'answer'
        ? { ...step, ...aroundOf(file.at(block!.key).at('expect'), 'main', problems) }
        : step,
    ) ?? [
      {
        id: 'assert',
        phase: 'main',
        title: 'nothing',
        act: {
          kind: 'impossible',
          words: `no assertion block: the file needs one of ${blocks.map(({ key }) => key).join(', ')}`,
        },
        capture: {},
        demands: [],
        place: file.place,
      },
    ],
    timeoutMs,
    ...(file.at('skip').value === true ? { skip: { reason: '' } } : {}),
    ...(skipVariable === undefined || skipVariable === '' ? {} : { skipUnlessEnv: skipVariable }),
    ...(file.has('conformance')
      ? { conformance: file.at('conformance').text() as NonNullable<SuiteCase['conformance']> }
      : {}),
    ...(file.has('volatile')
      ? {
          volatile: file
            .at('volatile')
            .items()
            .map((path) => path.text() ?? ''),
        }
      : {}),
    ...(file.has('spec') ? { spec: file.at('spec').text()! } : {}),
  };
}

/** A server that the file does not describe. */
export function emptyServer(): ServerBlock {
  return { args: [], env: {}, transport: '', headers: {} };
}

/** @param implied transport of a server that has an address, no command and no transport */
export function readServer(part: Part, implied = ''): ServerBlock | undefined {
  if (part.value === null || part.value === undefined) return undefined;
  const text = (name: string): string | undefined => (part.has(name) ? part.at(name).text() : undefined);
  const map = (name: string): Record<string, string> =>
    Object.fromEntries(
      part
        .at(name)
        .members()
        .map(([key, value]) => [key, value.text() ?? '']),
    );
  const [command, url, docker, cwd] = [text('command'), text('url'), text('docker'), text('cwd')];
  const features = readFeatures(part.at('client_capabilities'));
  return {
    ...(command === undefined || command === '' ? {} : { command }),
    args: part
      .at('args')
      .items()
      .map((item) => item.text() ?? ''),
    env: map('env'),
    // An address alone says that nothing is to be started.
    transport: text('transport') ?? (command === undefined && url !== undefined ? implied : ''),
    ...(url === undefined || url === '' ? {} : { url }),
    headers: map('headers'),
    ...(docker === undefined || docker === '' ? {} : { docker }),
    ...(text('network') === 'none' ? { network: 'none' as const } : {}),
    ...(cwd === undefined || cwd === '' ? {} : { cwd }),
    features,
  };
}
