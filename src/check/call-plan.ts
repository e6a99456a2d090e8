/**
 * The use case `check --plan`: says which tools a check would call and with which arguments, before any is called. It
 * connects, shakes hands and lists the tools, and asks nothing else of the target.
 */
import { resolvePath } from '../core/facts/values/json-path.ts';
import { usualPlaces } from '../core/json-schema/places.ts';
import type { Step } from '../core/model/rules/rule.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import { callsOf, leftOut, permissionOf, toolSeenAtWork, type Consent } from '../client/offers/choose-tools.ts';
import { hintedSteps } from '../client/offers/hinted.ts';
import { carriedOut } from '../client/schedule/plan/beginnings.ts';
import { probesFor } from '../client/schedule/plan/planner.ts';
import { everyProbe } from '../client/schedule/plan/probe.ts';
import { isQuick } from '../client/schedule/plan/quick.ts';
import { announcersOf } from '../client/steps/kinds/announcing-steps.ts';
import { mostAskers } from '../client/steps/stateless/round-trip-steps.ts';
import { stepsOfLists } from '../client/steps/kinds/nested-steps.ts';
import { stepsWithin } from '../client/steps/table.ts';
import { unlistedTool } from '../core/permission/unlisted.ts';
import { needLists, surveyTarget, type Listing } from '../client/offers/survey.ts';
import type { Peer } from '../client/peer/peer.ts';
import type { CheckOptions } from './check-options.ts';
import { loadPlan } from './plan.ts';
import { saidBy, type Said } from './reporting/said/said.ts';
import { createCallLog, toolCallsOf, type CallLog } from './reporting/said/tool-calls.ts';
import { withTarget } from './with-target.ts';
import { asText } from '../core/model/json.ts';

type Json = Record<string, unknown>;

/** The most calls that a check would make: a tool found hanging is not called again. */
export interface CallPlan extends Required<Pick<RunReport, 'calls' | 'skipped'>> {
  format: 'mcpc-call-plan';
  version: 1;
  target: { name: string };
  transport: string;
  revision: string;
}

/** @throws McpcError usage for a wrong selection, target when it cannot be reached or does not speak MCP */
export async function planCalls(options: CheckOptions): Promise<CallPlan> {
  const { rules } = await loadPlan(options.selection);
  return withTarget(options, async ({ peer, revision, target, locked, otherRevision }, redactor) => {
    const listing: Listing = {
      ...(await surveyTarget(peer, 'tools/list')),
      ...(options.hints === undefined ? {} : { hints: options.hints }),
    };
    needLists(listing, options.signal);
    const mistaken = options.namedTools === true ? unlistedTool(listing.tools, options) : undefined;
    if (mistaken !== undefined) throw mistaken;
    const consent: Consent = {
      permission: permissionOf(options),
      places: { folder: usualPlaces.folder },
      quick: options.profile === 'quick',
    };
    const probes = probesFor(options.profile === 'quick' ? rules.filter(isQuick) : rules, {
      target,
      revision,
      locked,
      otherRevision,
    });
    const hinted = options.hints === undefined || probes.shared.length === 0 ? [] : (hintedSteps(options.hints) ?? []);
    const log = createCallLog();
    log.see(said('server', { result: { tools: listing.tools } }));
    const around = { peer, listing, consent, log };
    for (const steps of carriedOut(probes.shared)) walk(steps, around);
    for (const { steps } of [...everyProbe({ ...probes, shared: [] }), { steps: hinted }]) walk(steps, around);
    const skipped = leftOut(listing.tools, consent.permission);
    const plan: CallPlan = {
      format: 'mcpc-call-plan',
      version: 1,
      target: { name: options.name },
      transport: target.kind,
      revision,
      calls: toolCallsOf(log.result(), skipped, true),
      skipped,
    };
    return JSON.parse(redactor.text(JSON.stringify(plan))) as CallPlan;
  });
}

interface Walk {
  peer: Peer;
  listing: Listing;
  consent: Consent;
  log: CallLog;
}

/** Notes the calls of the steps, those within them included; conditions are looked up in what the handshake declared. */
function walk(steps: readonly Step[], around: Walk): void {
  for (const step of steps) {
    if (typeof step === 'object') walkStep(step, around);
    else if (step === 'cancelSeenWork') note(toolSeenAtWork(around.listing, around.consent)?.tool, 2, around);
  }
}

/** Notes so many calls of a tool, if there is one. */
function note(params: unknown, times: number, { log }: Walk): void {
  for (let call = 0; call < times && params !== undefined; call += 1)
    log.see(said('client', { method: 'tools/call', params }));
}

function walkStep(step: Json, around: Walk): void {
  const { peer, listing, consent, log } = around;
  const within = (inner: unknown): void => walk((inner ?? []) as Step[], around);
  const declared = peer.serverCapabilities ?? {};
  if ('callTool' in step) {
    for (const params of callsOf(step, listing, consent)) {
      log.see(said('client', { method: 'tools/call', params }));
      within(step.then);
    }
  } else if ('roundTrip' in step) {
    for (const params of callsOf({ callTool: 'asks-client', each: step.each }, listing, consent))
      note(params, 2, around);
  } else if ('callWhatAnnounces' in step) {
    for (const params of announcersOf(listing, consent)) note(params, Number(step.callWhatAnnounces), around);
  } else if ('roundTripElsewhere' in step) {
    for (const params of peer.transport === 'http'
      ? callsOf({ callTool: 'asks-client', each: mostAskers }, listing, consent)
      : [])
      note(params, 5, around);
  } else if (step.request === 'tools/call') log.see(said('client', { method: 'tools/call', params: step.params }));
  else if ('forEachList' in step) {
    for (const inner of stepsOfLists(step, declared)) within(inner);
  } else if ('ifDeclared' in step) {
    const name = asText(step.ifDeclared);
    if ((resolvePath(declared, `$.${name.replace(/^!/, '')}`) !== undefined) !== name.startsWith('!'))
      within(step.then);
  } else if ('ifChallenged' in step) {
    if (peer.challenge) within(step.ifChallenged);
  } else if ('ifTestToken' in step) {
    if (peer.testTokens.has(asText(step.ifTestToken))) within(step.then);
  } else if ('repeat' in step) for (let round = 0; round < Number(step.repeat); round += 1) within(step.steps);
  else if ('standardHeader' in step) {
    if (peer.transport === 'http') note(callsOf({ callTool: 'any' }, listing, consent)[0], 1, around);
  } else for (const inner of stepsWithin(step)) within(inner);
}

function said(from: 'client' | 'server', message: Json): Said {
  return saidBy({ from, session: 'plan', seq: 0 }, message);
}
