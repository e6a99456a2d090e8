/** Resources of the server for agents: rules, requirements, the schema of suites, the last reports. */
import { readGeneratedPlan } from '../check/plan.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { listedRule } from '../check/authoring/listed-rule.ts';
import { isKnownRevision, revisions } from '../core/spec/revisions.ts';
import { requirementsOf } from '../core/spec/requirements/catalogue.ts';
import { loadCatalogue } from '../files/package/load-catalogue.ts';
import { generatedFile, rulesFolder } from '../files/package/package-root.ts';
import { Refused } from './access.ts';
import { jsonOf, type Context } from './context.ts';
import { runCommand } from './run-command.ts';

const json = 'application/json';
const content = (uri: URL, value: unknown): ReadResourceResult => ({
  contents: [
    { uri: uri.href, mimeType: json, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) },
  ],
});

/** No resource of that address. */
function missing(uri: URL): Error {
  return Object.assign(new Error(`There is no resource ${uri.href}.`), { code: -32002, data: { uri: uri.href } });
}

export function registerResources(server: McpServer, { access, runs }: Context): void {
  server.registerResource(
    'rules',
    'mcpc://rules',
    { title: 'Rules', description: 'Id, title and levels of each rule.', mimeType: json },
    (uri) => {
      const { digest, rules } = readGeneratedPlan();
      return content(uri, { digest, rules: rules.map(listedRule) });
    },
  );

  server.registerResource(
    'rule',
    new ResourceTemplate('mcpc://rules/{area}/{rule}', { list: undefined }),
    { title: 'A rule', description: 'The rule file: stimulus, condition, message, examples.', mimeType: json },
    async (uri, { area, rule }, { signal }) => {
      try {
        const words = ['rules', 'show', `${String(area)}/${String(rule)}`, '--json'];
        return content(uri, jsonOf(await runCommand(words, { cwd: access.allowed.project, signal })));
      } catch (error) {
        throw error instanceof Refused ? missing(uri) : error;
      }
    },
  );

  server.registerResource(
    'requirements',
    new ResourceTemplate('mcpc://requirements/{revision}', {
      list: () => ({
        resources: revisions.map((revision) => ({
          uri: `mcpc://requirements/${revision}`,
          name: `requirements ${revision}`,
          mimeType: json,
        })),
      }),
      complete: { revision: (typed) => revisions.filter((one) => one.startsWith(typed)) },
    }),
    { title: 'Requirements', description: 'Every requirement of a revision, in the words of mcpc.', mimeType: json },
    (uri, { revision }) => {
      if (typeof revision !== 'string' || !isKnownRevision(revision)) throw missing(uri);
      const catalogue = loadCatalogue({ generated: generatedFile('requirements.json') });
      return content(uri, requirementsOf(catalogue, revision));
    },
  );

  server.registerResource(
    'suite-schema',
    'mcpc://schema/suite',
    { title: 'Schema of suites', description: 'The JSON Schema of suite files.', mimeType: json },
    (uri) => content(uri, readFileSync(join(rulesFolder(), 'language', 'suite.schema.json'), 'utf8')),
  );

  server.registerResource(
    'run',
    new ResourceTemplate('mcpc://runs/{run}', {
      list: () => ({ resources: runs.ids().map((id) => ({ uri: `mcpc://runs/${id}`, name: id, mimeType: json })) }),
      complete: { run: (typed) => runs.ids().filter((one) => one.startsWith(typed)) },
    }),
    { title: 'A report', description: 'The whole report of a run of check_server or judge_capture.', mimeType: json },
    (uri, { run }) => {
      try {
        return content(uri, runs.report(String(run)));
      } catch (error) {
        throw error instanceof Refused ? missing(uri) : error;
      }
    },
  );
}
