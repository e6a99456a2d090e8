/** `mcpc faults list`: the faults that the example server can be given, one a line. */
import { Args, Flags } from '@oclif/core';
import { usageError } from '../../../core/model/errors.ts';
import type { GeneratedFault } from '../../generated-faults/generated-fault.ts';
import { describeFault } from '../../../core/faults/describe.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';

export default class FaultsList extends BaseCommand {
  static override summary = 'List the faults that the example server can be given.';

  static override description =
    'The faults are made by machine: each member of each message of a server left out, of a wrong type or out of range, and what can be wrong around messages. Each names requirements and violates at least one of them, or says that it is legal. Faults of messages that the example server never sends have no effect.';

  static override examples = [
    {
      description: 'What can be wrong with an answer to tools/list',
      command: '<%= config.bin %> faults list tools/list.result',
    },
    {
      description: 'Servers that are unusual and legal',
      command: '<%= config.bin %> faults list --legal --spec 2025-11-25',
    },
    { description: 'For scripts', command: '<%= config.bin %> faults list --json' },
  ];

  static override args = { text: Args.string({ description: 'Only faults whose id contains it.' }) };

  static override flags = {
    spec: Flags.string({ summary: 'Only faults of this revision of the specification.', helpValue: 'REVISION' }),
    transport: Flags.option({
      summary: 'Only faults of this transport.',
      options: ['stdio', 'http', 'sse'] as const,
    })(),
    legal: Flags.boolean({ summary: 'Only faults that violate nothing.', default: false }),
    json: Flags.boolean({ summary: 'Print JSON.' }),
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(FaultsList);
    const { spec, transport, legal } = flags;
    if (spec !== undefined && !isKnownRevision(spec))
      throw usageError(`There is no revision "${spec}".`, `Use one of ${revisions.join(', ')}.`);
    const { generatedFaults } = await import('../../generated-faults/list.ts');
    const all = await generatedFaults();
    const chosen = all.filter(
      ({ id, at, transports }) =>
        id.includes(args.text ?? '') &&
        (spec === undefined || at[spec] !== undefined) &&
        (transport === undefined || transports.includes(transport)) &&
        isLegal({ at }) === legal,
    );
    if (flags.json) {
      this.printJson(
        chosen.map(({ id, area, transports, at, fault }) => ({
          id,
          area,
          says: describeFault(fault),
          transports,
          at,
          fault,
        })),
      );
      return;
    }
    for (const { id, at } of chosen)
      this.print(`${id}  ${textOf(spec === undefined ? Object.values(at).at(-1)! : at[spec]!)}\n`);
    this.talk(`${chosen.length} of ${all.length} faults and legal variants`);
  }
}

function isLegal({ at }: Pick<GeneratedFault, 'at'>): boolean {
  return Object.values(at).includes('legal');
}

function textOf(violated: readonly string[] | 'legal'): string {
  return violated === 'legal' ? 'legal' : violated.join(' or ') || 'the message schema';
}
