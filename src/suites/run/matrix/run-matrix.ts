/** The use case `matrix`: runs the same cases once for each column, one column after another, and lays the results side by side. */
import { resolve } from 'node:path';
import type { MatrixColumn, MatrixReport, MatrixRow } from '../../../core/model/reports/matrix-report.ts';
import type { SuiteCaseReport, SuiteReport } from '../../../core/model/reports/suite-report.ts';
import { installedPackage, type NpmCacheOptions } from '../../../check/packages/cache.ts';
import { npmProgram } from '../../../check/packages/program.ts';
import type { SuiteCase } from '../../language/model.ts';
import { needEngines } from '../connect/engines.ts';
import { withOverride } from '../connect/override.ts';
import { runSuite } from '../run-suite.ts';
import type { RunSuiteOptions } from '../run-suite.ts';
import { serverIn } from './columns.ts';
import type { Column } from './columns.ts';
import { findNode, withNode } from './node-versions.ts';
import { withServed } from './served.ts';
import type { NodeVersion } from './node-versions.ts';

export interface RunMatrixOptions {
  run: RunSuiteOptions;
  columns: readonly Column[];
  packages: NpmCacheOptions;
  /**
   * Called at the beginning of each column.
   * @param index from 0
   */
  onColumn?(column: Column, index: number): void;
  /** Called at the end of a column. */
  onReport?(column: MatrixColumn, report: SuiteReport): void;
}

interface Ready {
  column: Column;
  /** Words that start the installed package. */
  words?: readonly string[];
  node?: NodeVersion;
}

/**
 * Everything that has to be installed is installed before the first case begins.
 * @throws McpcError usage for a package or a version of node that cannot be had
 */
export async function runMatrix({
  run,
  columns,
  packages,
  onColumn,
  onReport,
}: RunMatrixOptions): Promise<MatrixReport> {
  for (const column of columns)
    needEngines(
      run.cases.map((one) => withOverride(inColumn(one, { column }), run)),
      run.env,
    );
  const ready: Ready[] = [];
  for (const column of columns) ready.push(await prepared(column, packages));
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const done: { column: MatrixColumn; report: SuiteReport }[] = [];
  for (const [index, one] of ready.entries()) {
    if (run.signal.aborted) break;
    onColumn?.(one.column, index);
    const report = await runColumn(one, run);
    const column = columnReport(one, report);
    done.push({ column, report });
    onReport?.(column, report);
  }
  const rows = rowsOf(
    run.cases,
    done.map(({ report }) => report),
  );
  const failed = rows.filter(({ cells }) => cells.some((cell) => cell?.status === 'fail'));
  const missing = columns.length - done.length;
  const cut = done.find(({ report }) => report.incomplete !== null);
  return {
    format: 'mcpc-matrix-report',
    version: 1,
    tool: { name: 'mcpc', version: run.toolVersion },
    suites: [...run.suites],
    startedAt,
    durationMs: Math.round(performance.now() - began),
    columns: done.map(({ column }) => column),
    rows: [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)],
    counts: {
      cases: rows.length,
      differing: rows.filter(({ differs }) => differs).length,
      failed: failed.length,
      failedEverywhere: failed.filter(({ cells }) =>
        cells.every((cell) => cell === null || cell.status === 'fail' || cell.status === 'skip'),
      ).length,
    },
    incomplete: missing > 0 ? `${missing} of ${columns.length} columns were not run` : (cut?.report.incomplete ?? null),
  };
}

async function prepared(column: Column, packages: NpmCacheOptions): Promise<Ready> {
  const node = column.node === undefined ? undefined : await findNode(column.node, packages);
  const npm = column.server?.npm?.replace(/^file:(.*)$/s, (_whole, path: string) => `file:${resolve(path)}`);
  const words =
    npm === undefined
      ? undefined
      : [...npmProgram((await installedPackage(npm, packages)).folder), ...column.server!.block.args];
  if (words !== undefined && node !== undefined && words[0] === process.execPath) words[0] = node.program;
  return { column, words, node };
}

async function runColumn(ready: Ready, run: RunSuiteOptions): Promise<SuiteReport> {
  const { column, node } = ready;
  const env = node === undefined ? run.env : withNode(run.env, node);
  const within = (one: Ready): Promise<SuiteReport> =>
    runSuite({ ...run, cases: run.cases.map((given) => inColumn(given, one)), spec: column.spec, env });
  const { server, transport } = column;
  if (
    server?.serve === undefined ||
    (transport ?? server.block.transport) === 'stdio' ||
    (transport ?? server.block.transport) === ''
  )
    return within(ready);
  return withServed(server, { env, node, signal: run.signal }, (url) =>
    within({ ...ready, column: { ...column, server: { ...server, block: { ...server.block, url } } } }),
  );
}

function inColumn(one: SuiteCase, { column, words, node }: Ready): SuiteCase {
  const language = column.language === undefined ? {} : { language: column.language };
  return one.server === undefined
    ? { ...one, ...language }
    : { ...one, ...language, server: withProgram(serverIn(column, one.server, words), node) };
}

/** A command `node` is the version of the column also where the environment names another. */
function withProgram(
  server: NonNullable<SuiteCase['server']>,
  node: NodeVersion | undefined,
): NonNullable<SuiteCase['server']> {
  return node !== undefined && (server.command === 'node' || server.command === process.execPath)
    ? { ...server, command: node.program }
    : server;
}

function columnReport({ column, node }: Ready, report: SuiteReport): MatrixColumn {
  return {
    name: column.name,
    server: column.server?.name ?? null,
    transport: column.transport ?? null,
    spec: column.spec === 'auto' ? null : column.spec,
    node: node?.version ?? null,
    language: column.language ?? null,
    counts: report.counts,
    durationMs: report.durationMs,
    incomplete: report.incomplete,
    notices: report.notices,
  };
}

function rowsOf(cases: readonly SuiteCase[], reports: readonly SuiteReport[]): MatrixRow[] {
  const byId = reports.map((report) => new Map(report.cases.map((one): [string, SuiteCaseReport] => [one.id, one])));
  return cases.map(({ id, name, file, place }) => {
    const cells = byId.map((known) => {
      const one = known.get(id);
      return one === undefined ? null : { status: one.status, detail: one.detail, durationMs: one.durationMs };
    });
    return { id, name, file, line: place.line, differs: new Set(cells.map((cell) => cell?.status)).size > 1, cells };
  });
}
