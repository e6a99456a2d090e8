/** Values of the flags of suite commands, and the outputs for reports and messages. Shapes only. */
import type { SuiteFormat } from '../../../report/suite/formats.ts';
import type { SettingFlagValues } from '../../../check/commands/support/flags/setting-flags.ts';

type Flag<T> = T | undefined;

export interface SuiteFlagValues extends SettingFlagValues<'network'> {
  suite?: Flag<string[]>;
  fixture?: Flag<string>;
  recursive: boolean;
  strict: boolean;
  'no-commands': boolean;
  server?: Flag<string>;
  docker?: Flag<string>;
  container?: Flag<'docker' | 'podman'>;
  config?: Flag<string>;
  url?: Flag<string>;
  transport?: Flag<'stdio' | 'http' | 'sse'>;
  header?: Flag<string[]>;
  token?: Flag<string>;
  'auth-server'?: Flag<string[]>;
  env?: Flag<string[]>;
  'server-env-file'?: Flag<string[]>;
  cwd?: Flag<string>;
  spec: string;
  hints?: Flag<string>;
  timeout?: Flag<number>;
  trials?: Flag<number>;
  'until-fail': boolean;
  retries?: Flag<number>;
  shuffle: boolean;
  seed?: Flag<number>;
  failed: boolean;
  jobs?: Flag<number>;
  bail?: Flag<number>;
  'all-expectations': boolean;
  fix: boolean;
  filter?: Flag<string[]>;
  tag?: Flag<string[]>;
  'skip-tag'?: Flag<string[]>;
  shard?: Flag<string>;
  session: 'fresh' | 'auto' | 'file' | 'suite';
  'reuse-server': boolean;
  conformance?: Flag<'off' | 'warn' | 'fail'>;
  trace?: Flag<string>;
  'trace-dir'?: Flag<string>;
  junit?: Flag<string>;
  markdown?: Flag<string>;
  badge?: Flag<string>;
  baseline?: Flag<string>;
  'save-baseline'?: Flag<string>;
  overwrite: boolean;
  coverage?: Flag<boolean>;
  'coverage-json'?: Flag<string>;
  'min-coverage'?: Flag<number>;
  json: boolean;
  quiet: boolean;
  verbose: boolean;
  'no-color': boolean;
  templates?: Flag<string>;
}

export interface SuiteSinks {
  stdout: SuiteFormat | 'results' | undefined;
  files: { format: SuiteFormat; path: string }[];
}

export interface Voice {
  print(text: string): void;
  talk(line: string): void;
}
