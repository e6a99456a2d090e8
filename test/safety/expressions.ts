/**
 * Every regular expression of src/, by file: those that see text from outside (of a target, a capture, a program that
 * mcpc runs), and those that see only what the user or mcpc wrote. test/safety/expressions.test.ts fails for one that
 * stands in neither list, and grows each of the first on its worst input.
 */

/** They see text from outside: their time must grow with its length alone. */
export const outside: Record<string, readonly string[]> = {
  'src/app/call-plan.ts': [
    String.raw`/^!/`,
  ],
  'src/app/suite/covered/uri-template.ts': [
    String.raw`/\{[+#]?([A-Za-z0-9_.%]+)\}/g`,
    String.raw`/\{[^{}]*\}/`,
  ],
  'src/app/suite/fix/suggest-positions.ts': [
    String.raw`/no identifier found|column is beyond end of line/`,
  ],
  'src/app/suite/run-trace.ts': [
    String.raw`/[^a-z0-9]+/g`,
    String.raw`/^-|-$/g`,
  ],
  'src/authoring/listed-text.ts': [
    String.raw`/[\p{Cc}\p{Cf}\u2028\u2029]+/gu`,
  ],
  'src/authoring/recorded-suite/captures.ts': [
    String.raw`/[A-Za-z]\w*/g`,
    String.raw`/^[^.[\]{}]+$/`,
    String.raw`/^\s*[[{]/`,
    String.raw`/[\w-]{8,}/g`,
    String.raw`/(?<=[/=])\d{1,15}(?=$|[/?#&])/g`,
    String.raw`/^\d{1,5}$/`,
    String.raw`/(?:[._-]|\b)(?:id|number|key)$|[a-z](?:Id|ID|Number|Key)$/`,
    String.raw`/^[a-z][a-z0-9+.-]*:\/\/\S+$/i`,
  ],
  'src/authoring/recorded-suite/text-captures.ts': [
    String.raw`/\d/`,
    String.raw`/[\s{}]/`,
    String.raw`/[\w-]/`,
    String.raw`/^[\w-]+$/`,
    String.raw`/^[^\d\n]{1,20}/`,
    String.raw`/(?:^|(?<=\s))\S/g`,
    String.raw`/[A-Za-z]/`,
    String.raw`/[\\^$.*+?()[\]{}|]/g`,
  ],
  'src/authoring/recorded-suite/secrets.ts': [
    String.raw`/\[redacted-\d+\]/`,
    String.raw`/[\w+/=.-]{8,}/g`,
    String.raw`/([a-z0-9])([A-Z])/g`,
    String.raw`/[A-Za-z0-9]+/g`,
  ],
  'src/authoring/starter-hints.ts': [
    String.raw`/sampl/i`,
    String.raw`/elicit|ask[-_ ]?(?:the )?user/i`,
    String.raw`/roots/i`,
  ],
  'src/authoring/starter-suite/assert-files.ts': [
    String.raw`/[^A-Za-z0-9_-]+/g`,
    String.raw`/^-|-$/g`,
  ],
  'src/authoring/starter-suite/expected.ts': [
    String.raw`/^\s*[[{]/`,
    String.raw`/^[^.[\]]+$/`,
    String.raw`/^\[\d+\]$/`,
    String.raw`/^[^.[\]*?'"@:]+$/`,
  ],
  'src/authoring/starter-suite/stable.ts': [
    String.raw`/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?!\d)|(?<!\d)\d\d:\d\d:\d\d|(?<!\d)1[5-9]\d{8,11}(?!\d)/i`,
    String.raw`/[\p{L}\p{N}_]+(?:[.:+-][\p{L}\p{N}_]+)*|\s+|[^\p{L}\p{N}_\s]/gu`,
    String.raw`/^\s+$/`,
    String.raw`/[\\^$.*+?()[\]{}|]/g`,
    String.raw`/^\d+$/`,
    String.raw`/^[\d.]+$/`,
  ],
  'src/commands/support/error-text.ts': [
    String.raw`/^The following errors? occurred:\s*/`,
    String.raw`/^command (.+) not found$/`,
    String.raw`/=.*$/s`,
    String.raw`/^-+/`,
    String.raw`/[.!?]$/`,
    String.raw`/^Parsing --\S+\s+/`,
    String.raw`/\bE[A-Z]{3,}: ([^,\n]+), [a-z]+(?: '[^'\n]*')?(?: -> '[^'\n]*')?/g`,
  ],
  'src/evaluate/operators/value-tests.ts': [
    String.raw`new RegExp(pattern as string, 'u')`,
  ],
  'src/exercise/tool-call.ts': [
    String.raw`/sampling|elicit|roots|not (?:support|offer)/i`,
  ],
  'src/facts/authorization/authorization-facts.ts': [
    String.raw`/audience|\baud\b/i`,
    String.raw`/[?#]/`,
  ],
  'src/facts/authorization/challenge.ts': [
    "/[!#$%&'*+.^_`|~0-9A-Za-z-]+/y",
    String.raw`/\s{0,32}=\s{0,32}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y`,
    String.raw`/[ \t]{1,32}[A-Za-z0-9\-._~+/]+=*(?=\s{0,32}(?:,|$))/y`,
    String.raw`/[\s,]*/y`,
    String.raw`/\\(.)/g`,
  ],
  'src/facts/authorization/credentials.ts': [
    String.raw`/[?&]access_token=/`,
    String.raw`/^bearer(?:\s+(.*))?$/is`,
  ],
  'src/facts/authorization/metadata-exchange.ts': [
    String.raw`/^(.*)\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(\/.*)?$/s`,
    String.raw`/[?#]/`,
    String.raw`/^\s*\{/`,
  ],
  'src/facts/client-requests/elicitation-facts.ts': [
    String.raw`/(?:^|[^a-z])(?:pass(?:word|wd|phrase|code)|(?:api|access|private|secret|encryption|signing)[ _-]?key|(?:access|refresh|bearer|auth|api|session|id)[ _-]?token|client[ _-]?secret|credit[ _-]?card(?:[ _-]?(?:number|no))?|card[ _-]?number|cvv2?|cvc|social[ _-]?security[ _-]?number|ssn)$/`,
    String.raw`/\b(?:passwords?|passphrase|api[ _-]?keys?|(?:access|secret|auth) (?:key|token)s?|credit card|card number|cvv|client secret)\b/i`,
    String.raw`/\bhttps?:\/\/[^\s"'<>)\]]+/gi`,
    String.raw`/(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost)$/i`,
    String.raw`/^(?:access_?token|refresh_?token|id_?token|auth_?token|bearer|api_?key|client_?secret|password|passwd|pwd|x-amz-signature|x-amz-security-token|x-goog-signature)$/i`,
    String.raw`/^(?:e-?mail(?:_?address)?|phone(?:_?number)?|ssn|social_?security(?:_?number)?|birth_?(?:date|day)|date_?of_?birth|dob|passport(?:_?number)?|(?:first|last|full)_?name)$/i`,
    String.raw`/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/`,
    String.raw`/([a-z0-9])([A-Z])/g`,
    String.raw`/^https?:$/`,
    String.raw`/^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)|^\[f[cde]|\.(?:local|internal|lan|home|test|invalid|corp|intranet)$/i`,
  ],
  'src/facts/client-requests/question-tracker.ts': [
    String.raw`/\\?"(access_?token|refresh_?token|id_?token|client_?secret)\\?"\s*:\s*\\?"[^"\\]{8,}/gi`,
    String.raw`/invalid|not (?:a |an )?valid|error|fail|wrong|must|reject|expect|should|requir|cannot|could not|can't|unable|mismatch|ignor|discard/i`,
  ],
  'src/facts/features/uri-template.ts': [
    String.raw`/\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/y`,
    String.raw`/[/?#]/`,
    String.raw`/^[A-Za-z][A-Za-z0-9+.-]*:/`,
    String.raw`/^[A-Za-z][A-Za-z0-9+.-]*:\/*\{|\{[+/#]/`,
  ],
  'src/facts/tasks/task-insights.ts': [
    String.raw`/\d+/g`,
  ],
  'src/facts/tasks/task-updates.ts': [
    String.raw`/\d+/g`,
  ],
  'src/facts/transports/line-tracker.ts': [
    String.raw`/^content-length\s*:/i`,
    String.raw`/\}\s*\{/`,
  ],
  'src/facts/transports/loopback.ts': [
    String.raw`/^127(?:\.\d{1,3}){3}$/`,
  ],
  'src/files/own-files.ts': [
    String.raw`/^\{\s*"format":\s*"mcpc-(?:run|fleet|suite|audit|fuzz|coverage)-report"/`,
    String.raw`/"driver":\s*\{\s*"name":\s*"mcpc"/`,
    String.raw`/^\{\s*"schemaVersion":\s*1,\s*"label":\s*"MCP[ ,"]/`,
    String.raw`/^::notice title=mcpc [^\n]*\n?$/m`,
    String.raw`/^::notice title=mcpc suites::[^\n]*\n?$/m`,
    String.raw`/^TAP version 14\n1\.\.\d+\n/`,
    String.raw`/^ {2}(?:PASS|FAIL|SKIP|OPEN) .*\d+ms\n/`,
    "new RegExp(String.raw`^[^\\n]*  mcpc ${version}\\n`)",
    String.raw`/^(?:\d+ OF \d+ SERVERS? COMPLIANT|MCP fleet \d{4}-\d\d-\d\d: )/`,
    String.raw`/^\{\s*"format":\s*"mcpc-trace"/`,
    String.raw`/^\{\s*"format":\s*"mcpc-baseline"/`,
    String.raw`/^\{"type":\s*"episode_start"/`,
    String.raw`/^(?:#[^\n]*\n+)?format: mcpc-snapshots$/m`,
  ],
  'src/fleet/file/registry-server.ts': [
    String.raw`/\{([\w.-]+)\}/g`,
    String.raw`/^-+/`,
    String.raw`/[^A-Za-z0-9]+/g`,
    String.raw`/^\d/`,
  ],
  'src/fleet/run/journal.ts': [
    String.raw`/[\u2028\u2029]/g`,
  ],
  'src/fleet/run/pool-worker.ts': [
    String.raw`/heap out of memory|Reached heap limit/i`,
    String.raw`/^\S*Error: .*$/m`,
  ],
  'src/fleet/run/run-entry.ts': [
    String.raw`/^(?:write|fsync|open|close)$/`,
  ],
  'src/intercept/endpoint-rewrite.ts': [
    String.raw`/\r\n\r\n|\n\n|\r\r/`,
    String.raw`/^event:\s?endpoint/m`,
  ],
  'src/intercept/http-proxy.ts': [
    String.raw`/^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i`,
  ],
  'src/json-schema/explain-errors.ts': [
    String.raw`/^[A-Za-z_$][\w$]*$/`,
  ],
  'src/json-schema/header-parameters.ts': [
    "/^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$/",
    String.raw`/^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/`,
    String.raw`/^[\t\x20-\x7E]*$/`,
  ],
  'src/json-schema/json-schemas.ts': [
    String.raw`/^https?:\/\//`,
    String.raw`/#$/`,
  ],
  'src/json-schema/pattern-text.ts': [
    String.raw`/[\ud800-\udfff]/`,
    String.raw`/^(?:[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/`,
    String.raw`/[a-zA-Z0-9]/`,
  ],
  'src/json-schema/sample-texts.ts': [
    String.raw`/\b(?:urls?|uris?|links?|href|websites?|endpoint|webhook|callback|homepage)\b/`,
    String.raw`/\b(?:e ?mails?|recipients?|cc|bcc|mailto)\b/`,
    String.raw`/\b(?:dirs?|directory|directories|folders?|cwd|workspace)\b/`,
    String.raw`/\b(?:paths?|files?|filename|filepath)\b/`,
    String.raw`/\b(?:hosts?|hostname|domains?)\b/`,
    String.raw`/\bips?\b/`,
    String.raw`/\b(?:phone|phones|mobile|msisdn)\b/`,
    String.raw`/\b(?:uuid|guid)\b/`,
    String.raw`/\b(?:datetime|timestamp)\b/`,
    String.raw`/\bdate\b/`,
    String.raw`/\b(?:timezone|tz)\b/`,
    String.raw`/\b(?:language|locale|lang)\b/`,
    String.raw`/\bcountry\b/`,
    String.raw`/\b(?:city|place|location)\b/`,
    String.raw`/\bcurrency\b/`,
    String.raw`/([a-z0-9])([A-Z])/g`,
    String.raw`/[^A-Za-z0-9]+/g`,
    String.raw`/uri|iri|url|json-pointer|regex/`,
  ],
  'src/json-schema/schema-patterns.ts': [
    String.raw`/[\r\v\f\u0080-\uffff]/`,
    String.raw`/\\[sSwWdDbB]|\./`,
  ],
  'src/model/ci-logs.ts': [
    String.raw`/##(?=[A-Za-z]{0,20}\[)/g`,
    String.raw`/section_(?=(?:start|end):)/g`,
    String.raw`/^((?:[^\S\r\n\u2028\u2029\ufeff]|\u001b\[[0-9;]*m|[\u200b\ufeff\u0000-\u0008\u000e-\u001a])*)::/gm`,
  ],
  'src/model/reports/busy-server.ts': [
    String.raw`/\brate[ _-]?limit|\btoo many requests\b|\bthrottled\b/i`,
  ],
  'src/packages/cache.ts': [
    String.raw`/^file:.*[\\/]/`,
    String.raw`/[^A-Za-z0-9._-]+/g`,
    String.raw`/^[-.]+/`,
    String.raw`/^npm (?:error|ERR!) ?/`,
    String.raw`/complete log of this run|\.log$/`,
  ],
  'src/packages/program.ts': [
    String.raw`/^#!.*?\bnode(?:js)?(?:[ \t]+(.*))?$/`,
    String.raw`/\.[cm]?[jt]s$/`,
    String.raw`/\s+/`,
    String.raw`/^@[^/]*\//`,
    String.raw`/\r?\n/`,
  ],
  'src/permission/careful-arguments.ts': [
    String.raw`/^(?:dry ?run|noop|no op|simulat(?:e|ed|ion)|preview(?: only)?|test ?mode|sandbox|(?:validate|check|plan|read|test) ?only|what ?if|safe ?mode|draft|is draft)$/`,
    String.raw`/^(?:(?:auto |user |i )?(?:confirm(?:ed|ation)?|approved?|accept(?:ed)?|agree(?:d)?)|force[ds]?|yes|overwrite|recursive(?:ly)?|permanent(?:ly)?|irreversible|cascade|destructive|hard|override|privileged|elevated|admin|production|live(?: mode)?|all(?: users)?|immediate(?:ly)?)$/`,
    String.raw`/^(?:no|not|dont|do not|skip|without|disable|never|bypass|ignore) /`,
    String.raw`/confirm|approv|prompt|check|valid|safe|dry ?run|preview|simulat|backup|trash|verif|warning|hook/`,
    String.raw`/(?:^| )dry ?run(?: |$)/`,
    String.raw`/^(?:force|overwrite|confirm|allow|auto|permanently|recursive) /`,
    String.raw`/^(?:all|admin|hard|live|production)/`,
    String.raw`/^(?:amounts?|prices?|costs?|quantity|quantities|qty|payments?|fees?|balance|budget|bids?|cents|dollars|euros|usd|eur|gbp|units|shares|lots|volume|stake|credits|points|discount|salary|total)$/`,
    String.raw`/^(?:yes|true|on|1|always)$/i`,
    String.raw`/^(?:no|false|off|0|never|none)$/i`,
    String.raw`/^(?:prod(?:uction)?|live|admin|root|all)$/i`,
  ],
  'src/permission/decide.ts': [
    String.raw`/env|secret|token|credential|password|passwd/i`,
    String.raw`/[*?[{!(]/`,
    String.raw`/id$|amount|price|quantity|balance/i`,
    String.raw`/^[A-Za-z0-9_@%+=:,./-]+$/`,
  ],
  'src/permission/description.ts': [
    String.raw`/[.!?;:\n\r•]+/`,
    String.raw`/[^a-z]+/`,
    String.raw`/[^aeiou]y$/`,
    String.raw`/(?:s|sh|ch|x|z)$/`,
  ],
  'src/permission/tool-name.ts': [
    String.raw`/[/.:]|__/`,
    String.raw`/([a-z0-9])([A-Z])/g`,
    String.raw`/([A-Z])([A-Z][a-z])/g`,
    String.raw`/[^a-z]+/`,
    String.raw`/(?:sh|ch|s|x|z)es$/`,
    String.raw`/^(?:and|or|then)/`,
  ],
  'src/permission/verb-table.ts': [
    String.raw`/\s+/`,
  ],
  'src/probe/offers/choose-tools.ts': [
    String.raw`/slow|(?<![a-z])long|delay|sleep|wait/i`,
    String.raw`/progress|slow|long-?running|long_running/i`,
    String.raw`/(?<![a-z])elicit|sampling|sample[-_ ]?(?:llm|model|message|client)|create[-_ ]?message|(?<![a-z])roots(?![a-z])|(?:^|[-_ ])ask[-_ ]|asks? (?:the |your )?(?:user|client|model|human)/i`,
    String.raw`/(?<![a-z])logs?(?![a-z])|logging/i`,
    String.raw`/list.?changed|notif|subscri|announce/i`,
    String.raw`/fail|error|throw/i`,
    String.raw`/echo|ping|hello|add|sum|get|list|read/i`,
  ],
  'src/probe/offers/told-time.ts': [
    String.raw`/time-?_?out/i`,
    String.raw`/^ms$|millis|Ms$/`,
    String.raw`/duration|seconds|delay|timeout|wait/i`,
    String.raw`/steps|iterations/i`,
    String.raw`/count/i`,
  ],
  'src/probe/client/out-of-band.ts': [
    String.raw`/^text\/event-stream/i`,
  ],
  'src/probe/client/beside/fetch-policy.ts': [
    String.raw`/^\[|\]$/g`,
  ],
  'src/probe/client/connection-state.ts': [
    String.raw`/ECONNREFUSED/`,
  ],
  'src/probe/offers/hinted.ts': [
    String.raw`/\{([^{}]*)\}/g`,
    String.raw`/\{[+#]?([A-Za-z0-9_.%]+)\}/g`,
    String.raw`/^([+#]?)([A-Za-z0-9_.%]+)$/`,
  ],
  'src/probe/not-speaking.ts': [
    String.raw`/^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA)$/`,
    String.raw`/^.*\broutines:[^:]*:([^:]+):.*$/s`,
    String.raw`/CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE/`,
    String.raw`/certificate/i`,
  ],
  'src/probe/request-rate.ts': [
    String.raw`/^\d{1,9}$/`,
    String.raw`/^\d+$/`,
    String.raw`/^[A-Z][a-z]{2,8},? /`,
  ],
  'src/report/ci-views.ts': [
    String.raw`/^(?!-)[^:]*\.(?:[cm]?[jt]s|py|rb|php|jar|dll|exe)$/i`,
    String.raw`/^\.\//`,
    String.raw`/^[A-Za-z]:$/`,
    String.raw`/[abc]/`,
    String.raw`/[ilj.,:;'|!()·]/`,
    String.raw`/[mwMW]/`,
    String.raw`/[A-Z]/`,
  ],
  'src/report/fleet/chat.ts': [
    "/[<>@#*_`~[\\]|/:&!]/g",
  ],
  'src/report/fleet/csv.ts': [
    String.raw`/^[\s"']*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/`,
    String.raw`/[",\r\n;']/`,
  ],
  'src/report/fleet/server-view.ts': [
    String.raw`/^[A-F]/`,
  ],
  'src/report/fleet/view.ts': [
    String.raw`/^sha256[:-]/`,
  ],
  'src/report/handlebars/helpers.ts': [
    String.raw`/[<>&\u007f-\u009f\u2028\u2029]/g`,
    String.raw`/[{}]/g`,
    String.raw`/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu`,
    String.raw`/[&<>"'\n\t\r]/g`,
    String.raw`/\s+/g`,
    String.raw`/&/g`,
    String.raw`/</g`,
    String.raw`/>/g`,
    "/[\\\\`*_{}[\\]()#+!|~$]/g",
    String.raw`/@/g`,
    String.raw`/(https?|ftp):\/\//gi`,
    String.raw`/\bwww\./gi`,
    String.raw`/^(\s*)(?=[-=])/`,
    String.raw`/^(\s*\d+)(?=[.)](?:\s|$))/`,
    "/`+/g",
    "/^`|`$|^ .* $/",
    String.raw`/[\r\n]+/g`,
  ],
  'src/report/render.ts': [
    String.raw`/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g`,
  ],
  'src/report/tools/validate-tools.ts': [
    String.raw`/^\s*\{\s*"format":\s*"mcpc-(?:audit|fuzz)-report"/`,
  ],
  'src/report/suite/validate-suite.ts': [
    String.raw`/^\s*\{\s*"format":\s*"mcpc-suite-report"/`,
  ],
  'src/report/suite/view.ts': [
    String.raw`/^\.\//`,
    String.raw`/^[A-Za-z]:$/`,
  ],
  'src/report/text.ts': [
    String.raw`/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}\p{Cs}]/gu`,
    String.raw`/\r\n?/g`,
    String.raw`/\s+/g`,
    String.raw`/[\ud800-\udbff]$/`,
    String.raw`/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/`,
    "/^https?:\\/\\/[^\\s\"'<>`\\\\]+$/i",
  ],
  'src/report/tools-view.ts': [
    String.raw`/^--allow-tool (?:'(?:[^']|'\\'')*'|\S+),/`,
    String.raw`/"[^"]*"/`,
  ],
  'src/report/verdict-view.ts': [
    String.raw`/[^A-Za-z0-9]+/g`,
    String.raw`/-$/`,
  ],
  'src/report/view-model.ts': [
    String.raw`/^sha256[:-]/`,
    String.raw`/^[A-F]/`,
  ],
  'src/rules/compile-given.ts': [
    String.raw`/"subject\.(?:first|last)"|\{\{[{#]?(?:if )?(?:first|last)\b/`,
  ],
  'src/spec/revisions.ts': [
    String.raw`/^(?:\d{4}-\d{2}-\d{2}|DRAFT-\d{4}-v\d+)$/`,
  ],
  'src/spec/messages/message-formats.ts': [
    String.raw`/^[A-Za-z][A-Za-z0-9+.-]*:/`,
    "/[\\u0000-\\u0020\"<>\\\\^`{|}\\u007f]|%(?![0-9A-Fa-f]{2})/",
    String.raw`/[^A-Za-z0-9+/_-]/`,
  ],
  'src/suite/expectations/expectation.ts': [
    String.raw`/"(-?\d+)n"/g`,
  ],
  'src/suite/expectations/internals.ts': [
    String.raw`/^[ \t]{1,200}at (?:[^\n(]+ \()?(?:file:|node:|\/|[A-Za-z]:\\)[^\n]*:\d+:\d+\)?/m`,
    String.raw`/Traceback \(most recent call last\)|^[ \t]{0,200}File "[^"\n]+", line \d+, in /m`,
    "/^[ \\t]{1,200}at [\\w$.<>]+\\([^)\\n]*\\.(?:java|kt|scala):\\d+\\)|^[ \\t]{1,200}at [\\w.<>`]+\\([^)\\n]*\\) in [^\\n]+:line \\d+/m",
    String.raw`/^goroutine \d+ \[|^panic: [^\n]*\n/m`,
    String.raw`/thread '[^'\n]*' panicked at /`,
    String.raw`/^[ \t]{0,200}(?:from )?\/[^\s:]+\.rb:\d+:in |^#\d+ \/[^\n]+\.php\(\d+\)/m`,
    "/(?:[A-Za-z]:\\\\|\\/)(?:[^\\s'\"`:()]{1,500}[/\\\\])?(?:node_modules|site-packages|dist-packages)[/\\\\][^\\s'\"`]{1,500}|(?:[A-Za-z]:\\\\|\\/)[^\\s'\"`:()]{1,500}\\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|php|cs):\\d+/",
  ],
  'src/suite/expectations/json.ts': [
    String.raw`/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/`,
  ],
  'src/suite/run/case-record.ts': [
    String.raw`/\d{16}/`,
    String.raw`/^\uFEFF/`,
  ],
  'src/suite/run/json-text.ts': [
    String.raw`/^-?\d+$/`,
    String.raw`/^\s*(?:[[{"\-0-9]|true|false|null)/`,
    String.raw`/^\$/`,
    String.raw`/^\./`,
    String.raw`/\[(\d+)\]|([^.[\]]+)/g`,
  ],
  'src/suite/run/judge-case.ts': [
    String.raw`/^\S+ /`,
  ],
  'src/suite/snapshot/difference.ts': [
    String.raw`/^=+\n/`,
  ],
  'src/suite/snapshot/masks.ts': [
    String.raw`/(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi`,
    String.raw`/(?<!\d)\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?(?!\d)/g`,
    String.raw`/(?<![A-Za-z])(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2} \d{1,2}),? \d{4} \d\d:\d\d:\d\d(?: ?(?:GMT|UTC)(?:[+-]\d{4})?)?(?: \([A-Za-z ]{1,60}\))?/g`,
    String.raw`/(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])/g`,
    String.raw`/(?<![\d:])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M)?(?![\d:])/gi`,
    String.raw`/(?<![\d.])1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?(?!\d|\.\d)/g`,
    String.raw`/(?<![0-9a-z])(?:[0-9a-f]{128}|[0-9a-f]{96}|[0-9a-f]{64}|[0-9a-f]{56}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])/gi`,
    String.raw`/(?<![\w.])(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d{1,5}(?!\d)/gi`,
    String.raw`/(?<![A-Za-z])(port[ =:]{1,3})\d{4,5}(?!\d)/gi`,
    String.raw`/(?<![\w.])\d{1,15}(?:\.\d{1,15})? ?(?:ns|us|µs|μs|ms|s|(?:nano|micro|milli)?sec(?:ond)?s?|millis)(?!\w)/g`,
    String.raw`/(?:^|_|-)(?:duration|elapsed|uptime|latency|took)(?:$|_|-|[A-Z])|(?:Duration|Elapsed|Uptime|Latency|Took)(?![a-z])/`,
    String.raw`/^[\w-]/`,
    String.raw`/^[\\/][^\\/\s"'\x60<>|:;,]{1,255}/`,
    String.raw`/^\s*[[{]/`,
  ],
  'src/target/find-sdk.ts': [
    String.raw`/\.(?:[cm]?[jt]s|py)$/`,
    String.raw`/^[\w.+-]{1,64}$/`,
  ],
  'src/target/network.ts': [
    String.raw`/^[a-z][a-z0-9+.-]*:\/\//i`,
    String.raw`/^([^/?#]*)@/`,
    String.raw`/^Basic /`,
    String.raw`/-----BEGIN [A-Z ]*PRIVATE KEY-----/`,
  ],
  'src/target/sdk-fixes.ts': [
    String.raw`new RegExp(one, 'm')`,
    String.raw`new RegExp(one)`,
  ],
  'src/trace/exact-numbers.ts': [
    String.raw`/[eE][+\d]|-0|\d{300}/`,
  ],
  'src/trace/export-capture.ts': [
    String.raw`/^(?:mcp-|last-event-id$|www-authenticate$|content-type$)/`,
  ],
  'src/trace/importers/correlation.ts': [
    String.raw`/^-?\d+$/`,
  ],
  'src/trace/importers/direction.ts': [
    String.raw`/^n\d{1,15}$/`,
  ],
  'src/trace/importers/exact-json.ts': [
    String.raw`/(?:^|[[:,\s])(?:-0|-?\d[\d.]{15}|-?\d+[.eE])/`,
    String.raw`/(?:^|[[:,\s])(?:-0|-?\d[\d.]{15}|-?\d[\d.]*[eE])/`,
    String.raw`/,? ?(?:\.\.\.)?$/`,
    String.raw`/[^0-9]/g`,
  ],
  'src/trace/importers/formats/challenge.ts': [
    String.raw`/^\+?\d+$/`,
    "new RegExp(`(?:^|[ \\\\t,])${parameter}=`, 'i')",
  ],
  'src/trace/importers/formats/har.ts': [
    String.raw`/^event:[ ]?endpoint\b/m`,
  ],
  'src/trace/importers/open-capture.ts': [
    String.raw`/end of JSON input|Unterminated/i`,
    String.raw`/after JSON/i`,
  ],
  'src/trace/payload.ts': [
    String.raw`/^[ \t\r\n]*(?:[[{"\-0-9]|true|false|null)/`,
  ],
  'src/trace/redaction/credential-scan.ts': [
    String.raw`/([?&;#](?:access_token|refresh_token|id_token|auth_token|token|api_?key|key|code|code_verifier|client_secret|secret|password|passwd|auth|sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))=)([^&\s#"'<>{}\\]+)/gi`,
    String.raw`/([?&;#](?:mcp-?)?session_?-?id=)([^&\s#"'<>{}\\]+)/gi`,
    String.raw`/(\b(?:bearer|basic)\s+)(?![\w-]+\s*=\s*\\?")(?=[a-z\-._~+/]*\d)([a-z0-9\-._~+/]{8,}=*)/gi`,
    String.raw`/((\\?["'])([\w-]{3,40})\2\s*:\s*\\?["'])([^"'\\\s][^"'\\]*)/g`,
    String.raw`/(?<![?&;#\w-])(()([A-Za-z][\w-]{2,60})=["']?)([^\s"',;&\\]+)/g`,
    String.raw`/(()\b((?:proxy-)?authorization|cookie|set-cookie|x-api-key|api-key|x-auth-token)\s*:\s*(?:(?:bearer|basic)\s+)?)([^\s"',;][^\r\n"',;]*)/gi`,
    String.raw`/\bsk-(?:ant-|proj-)?[\w-]{16,}/g`,
    String.raw`/\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g`,
    String.raw`/\bglpat-[\w-]{16,}/g`,
    String.raw`/\bxox[abeoprs]-[\w-]{10,}/g`,
    String.raw`/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g`,
    String.raw`/\bAIza[\w-]{35}/g`,
    String.raw`/\bnpm_[A-Za-z0-9]{36}\b/g`,
    String.raw`/\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g`,
    String.raw`/\bhf_[A-Za-z0-9]{30,}\b/g`,
    String.raw`/(?<=-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[\s\S]+?(?=-----END|$)/g`,
    String.raw`/[=@]|eyJ|\bsk[-_]|gh[pousr]_|github_pat|glpat-|xox|AKIA|ASIA|AIza|npm_|rk_|hf_|PRIVATE KEY|bearer|basic|["']\s*:|authorization|cookie|api-key|auth-token/i`,
    String.raw`/eyJ|sk[-_]|gh[pousr]_|github_pat|glpat-|xox|AKIA|ASIA|AIza|npm_|rk_|hf_|PRIVATE KEY/`,
    String.raw`/[0-9+.-]/`,
    String.raw`/\s/`,
  ],
  'src/trace/redaction/literal-forms.ts': [
    String.raw`/=/g`,
  ],
  'src/trace/redaction/escapes.ts': [
    String.raw`/[%\\]/`,
    String.raw`/[0-9A-Fa-f]{2}$/`,
    String.raw`/%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["\\/])/g`,
    String.raw`/%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["\\/])/`,
    String.raw`/^[%\\][ux]?/`,
    String.raw`/^[0-9A-Fa-f]$/`,
    String.raw`new RegExp(anyEscape.source, 'y')`,
  ],
  'src/trace/redaction/literal-search.ts': [
    String.raw`/\d/`,
    String.raw`/\d[^]*\d/`,
    String.raw`/[A-Za-z]/`,
    String.raw`/[A-Za-z0-9+/_-]/`,
  ],
  'src/trace/redaction/mask.ts': [
    String.raw`/^\[redacted-\d+\]$/`,
    String.raw`/^[\x21-\x7e]+$/`,
    String.raw`/^(?:(?:sk|rk)_(?:live|test)_|sk-(?:ant|proj)-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|npm_|hf_)/`,
    String.raw`/[a-z]/`,
    String.raw`/[A-Z]/`,
    String.raw`/[0-9]/`,
    String.raw`/[^A-Za-z]/g`,
  ],
  'src/trace/redaction/redact.ts': [
    String.raw`/^\s*[[{]/`,
    String.raw`/^(\S+\s+)?([\s\S]*)$/`,
    String.raw`/^(?:basic|bearer|digest|negotiate)$/i`,
    String.raw`/^([^=;]*=)([^;]+)/`,
    String.raw`/^(?:bearer|basic|token)\s+/i`,
    String.raw`/^basic\s/i`,
    String.raw`/^[\w-]+=[^;]*;/`,
    String.raw`/^[ \t\r\n]*(?:[[{"\-0-9]|true|false|null)/`,
  ],
  'src/trace/redaction/secret-names.ts': [
    String.raw`/(?:^|[_-])(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|credentials?)$/i`,
    String.raw`/[_-]/g`,
    String.raw`/([a-z0-9])([A-Z])/g`,
    String.raw`/^(?:[\w-]{0,100}[_-])?(?:key|pass|pat|jwt|dsn|cookie)$/i`,
    String.raw`/(?:^|[-_])(?:api[-_]?key|token|secret|password|passwd|credentials?|signature)(?:$|[-_])|^x-auth(?:$|-)/`,
    String.raw`/^\d{1,7}$/`,
    String.raw`/^\d{4}-\d\d-\d\d$/`,
  ],
  'src/transport/http/http-body.ts': [
    String.raw`/\uFFFD$/`,
  ],
  'src/transport/http/http-headers.ts': [
    String.raw`/^[^/]+\/.+\+json$/`,
  ],
  'src/transport/network/http2.ts': [
    String.raw`/^NGHTTP2_(?:NO_ERROR|[A-Z0-9_]*ERROR|REFUSED_STREAM|CANCEL|STREAM_CLOSED|FRAME_SIZE_ERROR|CONNECT_ERROR|ENHANCE_YOUR_CALM|INADEQUATE_SECURITY|HTTP_1_1_REQUIRED)$/`,
  ],
  'src/transport/network/proxy-settings.ts': [
    String.raw`/^[a-z][a-z0-9+.-]*:\/\//i`,
    String.raw`/^\[|\]$/g`,
    String.raw`/\.$/`,
    String.raw`/^127(?:\.\d+){3}$/`,
    String.raw`/[\s,]+/`,
    String.raw`/^\[?([\da-f.:]+)\]?\/(\d{1,3})$/`,
    String.raw`/^(\[[^\]]*\]|[^:]*):(\d+)$/`,
    String.raw`/^\*?\.+/`,
  ],
  'src/transport/network/route.ts': [
    String.raw`/no application protocol|alert number 120/i`,
    String.raw`/^(?:EPROTO|ERR_SSL|ERR_TLS|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|HOSTNAME_MISMATCH|INVALID_CA|HPE_)/`,
  ],
  'src/transport/process/log-lines.ts': [
    String.raw`/\r$/`,
  ],
};

/** They see text of the user or of mcpc alone; by what that is. */
export const own: Record<string, Record<string, readonly string[]>> = {
  'what the user names: flags, files, selections': {
    'src/app/plan.ts': [
      String.raw`/[*?[{]/`,
      String.raw`/\.json$/`,
    ],
    'src/app/report/baseline-file.ts': [
      String.raw`/\.$/`,
    ],
    'src/app/run-redactor.ts': [
      String.raw`/^https?:\/\//i`,
    ],
    'src/app/suite/matrix/columns.ts': [
      String.raw`/^https?:\/\//i`,
      String.raw`/^([^:]+):(.+)$/`,
    ],
    'src/app/suite/matrix/node-versions.ts': [
      String.raw`/^v?\d+(?:\.\d+){0,2}$/`,
      String.raw`/^v/`,
      String.raw`/^v?(\d+\.\d+\.\d+)$/`,
    ],
    'src/app/suite/matrix/run-matrix.ts': [
      String.raw`/^file:(.*)$/s`,
    ],
    'src/app/suite/snapshot/take-snapshots.ts': [
      String.raw`/\.ya?ml\.snap$/`,
    ],
    'src/authoring/convert-suite/from-assert.ts': [
      String.raw`/\{\{\s*([^{}\s][^{}]*?)\s*\}\}/g`,
      String.raw`/^\{\{\s*([^{}]+?)\s*\}\}$/`,
    ],
    'src/authoring/convert-suite/from-jest.ts': [
      String.raw`/^\$\./`,
      String.raw`/[*?]/`,
      String.raw`/[.+^$(){}|[\]\\]/g`,
    ],
    'src/authoring/convert-suite/jest-expression.ts': [
      String.raw`/^([^=!<>]+?)\s*(===|==|!==|!=|>=|<=|>|<)\s*([^=<>].*)$/s`,
      String.raw`/^count\s*(===|==|>=|<=|>|<)\s*(\d{1,9})$/`,
      String.raw`/^[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*|\[\d{1,6}\])*$/`,
      String.raw`/\[(\d+)\]|([^.[\]]+)/g`,
      String.raw`/^(['"])(.*)\1$/s`,
      String.raw`/^\d{1,15}(?:\.\d{1,15})?$/`,
    ],
    'src/authoring/new-rule.ts': [
      String.raw`/^[a-z][a-z0-9-]*\/[a-z0-9][a-z0-9-]*$/`,
    ],
    'src/authoring/rule-scaffold.ts': [
      String.raw`/\.$/`,
      String.raw`/\s+\S*$/`,
    ],
    'src/authoring/starter-suite/server-block.ts': [
      String.raw`/[^A-Z0-9]+/g`,
    ],
    'src/commands/fuzz.ts': [
      String.raw`/\.ya?ml$/`,
    ],
    'src/commands/intercept.ts': [
      String.raw`/^https?:$/`,
      String.raw`/^(?:\[(?<six>[^\]]+)\]|(?<host>[^:]*)):(?<port>\d{1,5})$/`,
      String.raw`/^\d+$/`,
    ],
    'src/commands/matrix.ts': [
      String.raw`/\.[^.]*$/`,
      String.raw`/^([^=\s]+)=(.+)$/s`,
    ],
    'src/commands/suite/convert.ts': [
      String.raw`/\.ya?ml$/`,
      String.raw`/^\uFEFF/`,
    ],
    'src/commands/support/flags/flag-values.ts': [
      String.raw`/,(?![^{]*\})/`,
    ],
    'src/commands/support/flags/target-flags.ts': [
      String.raw`/^(?:[\w.-]+|\[[\da-f:.]+\]):\d+(?:\/.*)?$/i`,
      String.raw`/^https?:\/\//i`,
    ],
    'src/commands/support/fleet/sinks.ts': [
      String.raw`/\.html?$/i`,
    ],
    'src/commands/support/run-import.ts': [
      String.raw`/\.gz$/i`,
      String.raw`/(?<=.)\.[^.]*$/`,
    ],
    'src/commands/support/suite/watch/watched-paths.ts': [
      String.raw`/\.snap$/`,
      String.raw`/\.ya?ml$/`,
    ],
    'src/config/variables.ts': [
      String.raw`/\$\{([^}]*)\}/g`,
      String.raw`/^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s`,
      String.raw`/^\.(?:vscode|cursor)$/`,
    ],
    'src/files/output.ts': [
      String.raw`/^E[A-Z0-9]+$/`,
    ],
    'src/model/duration.ts': [
      String.raw`/(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h)/g`,
      "new RegExp(`^(?:${part.source})+$`)",
    ],
    'src/model/reports/verdict-codes.ts': [
      String.raw`/^[VWI]$/`,
    ],
    'src/packages/run-npm.ts': [
      String.raw`/^(?:npm_(?:package|lifecycle|command)|npm_config_(?:local_prefix|global_prefix|prefix|global|location|workspaces?|dry_run|package_lock_only|include_workspace_root)$|INIT_CWD$)/i`,
    ],
    'src/score/exit-policy.ts': [
      String.raw`/\.$/`,
    ],
    'src/suite/snapshot/volatile.ts': [
      String.raw`/[*?'"@:]|\.\./`,
    ],
    'src/target/address.ts': [
      String.raw`/^([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^/?#]*@/`,
    ],
    'src/target/resolve-target.ts': [
      "/^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\\s*:\\s*(.*?)\\s*$/s",
      String.raw`/[\r\n\0]/`,
      String.raw`/^bearer\s+/i`,
      String.raw`/^[\x21-\x7e]+$/`,
      String.raw`/^(?:node|nodejs|bun|deno|python[\d.]*|py|ruby|php|java|npx|bunx|uvx|uv|pnpm|yarn|docker|sh|bash|tsx|ts-node)(?:\.exe|\.cmd)?$/`,
      String.raw`/^(?:run|exec|dlx|tool|x)$/`,
      String.raw`/^https?:\/\//`,
      String.raw`/^[^/@]*@/`,
      String.raw`/[?#].*$/s`,
      String.raw`/:\{\{.*?\}\}/`,
      String.raw`/\/$/`,
    ],
    'src/target/config-file.ts': [
      String.raw`/^\uFEFF/`,
    ],
    'src/target/serve-command.ts': [
      String.raw`/\{\{\s*port\s*\}\}/g`,
    ],
    'src/target/serve.ts': [
      String.raw`/^\[|\]$/g`,
    ],
    'src/trace/redaction/given-secrets.ts': [
      String.raw`/:\{\{\s{0,9}port\s{0,9}\}\}/`,
      String.raw`/^(["'])(.*)\1$/s`,
      String.raw`/[A-Za-z][A-Za-z0-9+.-]{0,30}:\/\/\S+/g`,
      String.raw`/^--?[\w-]{1,200}$/`,
      String.raw`/^-+/`,
      String.raw`/^-{0,2}([\w.-]{1,200})=([^]+)$/`,
      String.raw`/[-_.~]/`,
      String.raw`/^(?:v?\d{0,4}|[A-Za-z]?[a-z]{0,19}|[A-Z]{0,12})$/`,
      String.raw`/[^0-9]/g`,
      String.raw`/[^A-Za-z]/g`,
      String.raw`/[a-z][A-Z]/`,
      String.raw`/[A-Z]{2}/`,
    ],
  },
  'a suite file of the user': {
    'src/app/suite/connect/fixture.ts': [
      "new RegExp(`^${prefix}-(\\\\d+)-(\\\\d+)-`)",
    ],
    'src/app/suite/connect/server-target.ts': [
      String.raw`/\$(?:\{([^}]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g`,
      String.raw`/^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s`,
      String.raw`/[%?#]/`,
    ],
    'src/app/suite/schema-files.ts': [
      String.raw`/^\uFEFF/`,
    ],
    'src/app/suite/load.ts': [
      String.raw`/^\uFEFF/`,
      String.raw`/\.ya?ml$/`,
    ],
    'src/app/suite/select.ts': [
      String.raw`/^(\d+)\/(\d+)$/`,
      String.raw`/^\/(.*)\/([a-z]*)$/s`,
      String.raw`new RegExp(pattern, flags.replace(/[gy]/g, ''))`,
      String.raw`/[gy]/g`,
    ],
    'src/app/suite/steps/do-step.ts': [
      String.raw`/^\S+ /`,
    ],
    'src/commands/support/exercise/saved.ts': [
      String.raw`/\.[^.]*$/`,
    ],
    'src/commands/support/suite/run.ts': [
      String.raw`/\.[^.]*$/`,
      String.raw`/^[\w@%+=:,./-]+$/`,
    ],
    'src/suite/file/matrix-part.ts': [
      String.raw`/^v?\d+(?:\.\d+){0,2}$/`,
    ],
    'src/suite/file/native-form.ts': [
      String.raw`/^\S+ /`,
    ],
    'src/suite/file/scalars.ts': [
      String.raw`/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/`,
      String.raw`/^[-+.]?[0-9]/`,
      String.raw`/^[-+]?(?:0|[1-9][0-9]*)$/`,
      String.raw`/^([-+]?)0([xob])([0-9a-fA-F_]+)$/`,
      String.raw`/^([-+]?)0([0-7]+)$/`,
      String.raw`/^[-+]?[0-9][0-9_]*$/`,
      String.raw`/^0(?:x[0-9a-fA-F]+|o[0-7]+|b[01]+)$/`,
      String.raw`/^\+/`,
    ],
    'src/suite/run/substitute.ts': [
      String.raw`/^\{\{\s*([^{}]+?)\s*\}\}$/`,
      String.raw`/\{\{\s*([^{}]+?)\s*\}\}/g`,
      String.raw`/\{\{([^{}]+)\}\}/g`,
      String.raw`/^([+-])(\d)$/`,
    ],
  },
  'a fleet file of the user, and run directories of mcpc': {
    'src/fleet/compare/policies.ts': [
      String.raw`/\.$/`,
    ],
    'src/fleet/file/entry-ids.ts': [
      String.raw`/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/`,
      String.raw`/\p{M}/gu`,
      String.raw`/[^a-z0-9._-]+/g`,
      String.raw`/^[-.]+|[-.]+$/g`,
      String.raw`/[-.]+$/`,
    ],
    'src/fleet/file/entry.ts': [
      String.raw`/[\r\n\0]/`,
    ],
    'src/fleet/file/fleet-file.ts': [
      String.raw`/\{\{\s*port\s*\}\}/`,
    ],
    'src/fleet/file/include.ts': [
      String.raw`/^~\//`,
      String.raw`/^\S(.*\S)?$/`,
    ],
    'src/fleet/file/init.ts': [
      String.raw`/ has no servers/`,
      String.raw`/[\\*?[\]{}()!+@|]/g`,
      String.raw`/\s+/g`,
    ],
    'src/fleet/file/list.ts': [
      String.raw`/^[^=]*=?\$\{[^}]*\}$/`,
    ],
    'src/fleet/file/read-file.ts': [
      String.raw`/^\uFEFF/`,
      String.raw`/^(?:file:|\.{1,2}\/|~\/|\/)/`,
      String.raw`/^file:/`,
    ],
    'src/fleet/file/select-entries.ts': [
      String.raw`/^(tag|owner|spec):(.+)$/s`,
      String.raw`/^(\d{1,4})\/(\d{1,4})$/`,
    ],
    'src/fleet/queue/places.ts': [
      String.raw`/^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i`,
      String.raw`/:(\d+)$/`,
      String.raw`/\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g`,
    ],
    'src/fleet/run/check-fleet.ts': [
      String.raw`/@\d+\.\d+\.\d+[\w.+-]*$/`,
    ],
    'src/fleet/run/run-directory.ts': [
      String.raw`/\.\d+/`,
      String.raw`/[-:]/g`,
      String.raw`/^E[A-Z]+$/`,
      String.raw`/^[A-Za-z0-9_][\w.@-]*$/`,
    ],
  },
  'rule files, their examples, and requirements': {
    'src/authoring/lint-rules.ts': [
      String.raw`/^not /`,
    ],
    'src/authoring/rule-words.ts': [
      String.raw`/[a-z][A-Z]/`,
      String.raw`/\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g`,
      String.raw`/\b[a-z]+(?:\/[a-z_]+)+\b/g`,
      String.raw`/\bis (?:result|params|error|id|\w+\[[^\]]*\]|\w+\.\w+)[\w.[\]*]* is\b/`,
      String.raw`/\b([A-Za-z]{2,})\s+\1\b/`,
      String.raw`/\{\{[^}]*\}\}/g`,
      String.raw`/[\\^$*+?()[\]|]/`,
      String.raw`/[A-Za-z_]+(?:\/[A-Za-z_]+)*/g`,
    ],
    'src/evaluate/conditions/engine.ts': [
      String.raw`/^subject\./`,
      String.raw`/^(session|target)\./`,
      String.raw`/^\$/`,
    ],
    'src/evaluate/conditions/leaf.ts': [
      String.raw`/schema/i`,
    ],
    'src/faults/generated/walk.ts': [
      String.raw`/^[A-Za-z_]\w*$/`,
    ],
    'src/facts/core/json-path.ts': [
      "new RegExp(`^\\\\$(?:${member}|${chosen})*$`)",
      "new RegExp(`\\\\.([A-Za-z_][\\\\w-]*)|\\\\[(\\\\d+)\\\\]|\\\\['([^'\\\\\\\\]*)'\\\\]|(\\\\[\\\\*\\\\]|\\\\.\\\\*)|${chosen}`, 'g')",
      String.raw`/^(!?)@\.([\w.-]+?)(?: ?([!=]=) ?'([^']*)')?$/`,
      String.raw`/^\d+$/`,
    ],
    'src/probe/steps/nested-steps.ts': [
      String.raw`/^!/`,
    ],
    'src/probe/offers/wrong-arguments.ts': [
      String.raw`/[A-Za-z]/g`,
    ],
    'src/rules/client-twin.ts': [
      String.raw`/\b([Ss]erver|[Cc]lient)(s?)\b/g`,
      String.raw`/[SC]/`,
      String.raw`/^[<>]{1,2} ?[[{]/`,
      String.raw`/^[<>]+/`,
    ],
    'src/rules/compile-rule.ts': [
      String.raw`/^[a-z][a-z0-9-]*\/[a-z0-9][a-z0-9-]*$/`,
      String.raw`/\{\{[{#/]?(?:(?:if|unless|each|with) )?([a-z][a-zA-Z0-9]*(?:\.[a-z][a-zA-Z0-9]*)?)/g`,
    ],
    'src/rules/load-rules.ts': [
      String.raw`/[*?[{]/`,
    ],
    'src/rules/old-names.ts': [
      "new RegExp(String.raw`\\b(?:${[...Object.keys(renamedKinds), ...Object.keys(renamedFacts)].join('|')})\\b`)",
      String.raw`/^[\w]+/`,
      String.raw`/\{\{[^{}]*\}\}/g`,
      String.raw`/(?<![\w.])\w+/g`,
    ],
    'src/rules/rule-facts.ts': [
      String.raw`/\{\{\{?[#^/]?(?:(?:if|unless|each|with) )?([A-Za-z][A-Za-z0-9]*)/g`,
    ],
    'src/rules/rule-problem.ts': [
      String.raw`/^\[(\d+)\]\.?/`,
      String.raw`/\.|(?=\[)|$/g`,
    ],
    'src/rules/schema-problems.ts': [
      String.raw`/^\d+$/`,
      String.raw`/^\./`,
    ],
    'src/spec/messages/compact-code.ts': [
      'new RegExp(String.raw`const (err\\d+) = \\{instancePath(?::(.*?))?,schemaPath:(${text}),keyword:(${text}),params:(.*?)\\};if\\(vErrors === null\\)\\{vErrors = \\[\\1\\];\\}else \\{vErrors\\.push\\(\\1\\);\\}errors\\+\\+;`, \'g\')',
      String.raw`/const evaluated0 = validate\d+\.evaluated;if\(evaluated0\.dynamicProps\)\{evaluated0\.props = undefined;\}if\(evaluated0\.dynamicItems\)\{evaluated0\.items = undefined;\}|evaluated0\.(?:props|items) = \w+;|validate\d+\.evaluated = \{.*?\};(?=function |export |const |validate|\s|$)/g`,
      String.raw`/, parentData, parentDataProperty, rootData=data, dynamicAnchors=\{\}(?=\}=\{\}\))|,parentData(?::[^,]*)?,parentDataProperty(?::[^,]*)?,rootData,dynamicAnchors(?=\})/g`,
      String.raw`/\.evaluated\b|\bevaluated\d|parentData|dynamicAnchors|const err\d+ = \{instancePath/`,
    ],
    'src/spec/messages/compile-validators.ts': [
      String.raw`/vErrors\.concat\((\w+)\.errors\)/g`,
    ],
    'src/spec/messages/message-expression.ts': [
      String.raw`/'[^']*'|-?\d+\.\.|map<|\[\]|\.\.|-?\d+(?:\.\d+)?|[A-Za-z_][\w-]*|\S/g`,
      String.raw`/^-?\d/`,
      String.raw`/^[A-Z]/`,
      String.raw`/^(-?[\d.]*?\d)?\.\.(-?[\d.]*\d)?$/`,
    ],
    'src/spec/messages/message-layout.ts': [
      String.raw`/^[A-Z]\w*$/`,
    ],
    'src/spec/requirements/links.ts': [
      String.raw`/^https?:\/\//`,
      String.raw`/(^|\/)index$/`,
    ],
    'src/spec/requirements/parse-requirements.ts': [
      String.raw`/^\uFEFF/`,
      String.raw`/\r?\n/`,
      "/^\\s*(`{3,}|~{3,})/",
      String.raw`/^\s*<!--/`,
      String.raw`/^(#{1,6})\s+(.*?)\s*#*\s*$/`,
      String.raw`/^\s+\S/`,
      String.raw`/^\s+[-*]\s/`,
      String.raw`/^Revisions?:/`,
    ],
    'src/spec/requirements/requirement-bullet.ts': [
      String.raw`/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*){1,3}$/`,
      String.raw`/^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*(?:#[A-Za-z0-9_%.~!'()*-]+)?$/`,
      "/^[-*]\\s+\\*\\*([^*]*)\\*\\*\\s*(\\S*)\\s*(?:`([^`]*)`)?\\s*(.*)$/",
      String.raw`/^(.*?)\s*\[([^\][]*)\]\s*\{([^{}]*)\}$/`,
      "/^[-*]\\s+(?:\\*\\*|(?:MUST|SHOULD|MAY|SHALL|REQUIRED|RECOMMENDED|OPTIONAL)\\b.*`|.*`.*\\{\\s*observe\\b)/",
      String.raw`/\s+/`,
      String.raw`/^https?:\/\//`,
      String.raw`/(^|;)\s*observe\b/`,
    ],
    'src/trace/notation.ts': [
      String.raw`/^(\d+) times\s+/`,
      String.raw`/^(>>|<<|>|<)\s?/`,
      String.raw`/^#(\w+)\s+/`,
      String.raw`/^(GET|DELETE|PUT|OPTIONS|HEAD)\b\s*/`,
      String.raw`/^(joined|split)\s+/`,
      String.raw`/^((?:https?:\/\/|[/?])\S*)\s*/`,
      String.raw`/^POST\s+/`,
      String.raw`/^(\d{3})\b\s*/`,
      String.raw`/^stream\b\s*/`,
      String.raw`/^event\b\s*/`,
      String.raw`/^(type|header\.([\w-]+))=("(?:[^"\\]|\\.)*"|\S*)\s*/`,
      String.raw`/^(name|id|retry)=(\S*)\s*/`,
      String.raw`/\s+/`,
      String.raw`/^\d+$/`,
      String.raw`/^[1-9]\d*$/`,
    ],
  },
  'puppets that play the examples of rules to mcpc itself': {
    'src/mock/plain/offers.ts': [
      String.raw`/mcpc|unknown|undefined|no[-_ ]?such|nope|missing|non-?exist|does[-_]?not/i`,
    ],
    'src/mock/plain/plain-server.ts': [
      String.raw`/^resources\/(un)?subscribe$/`,
      String.raw`/^ref\/(prompt|resource)$/`,
    ],
    'src/mock/puppets/http-puppet.ts': [
      String.raw`/\b(127\.0\.0\.1|localhost):3000\b/g`,
    ],
    'src/mock/puppets/http-refusal.ts': [
      String.raw`/^application\/json\s*(;|$)/i`,
      String.raw`/\/.*/`,
    ],
    'src/mock/script/header-match.ts': [
      String.raw`/^application\/json\s*(;|$)/i`,
      String.raw`/^=\?base64\?(.*)\?=$/`,
    ],
    'src/mock/script/match.ts': [
      String.raw`/:\d+$/`,
    ],
  },
  'tables and files of the system': {
    'src/transport/listening.ts': [
      String.raw`/\s+/`,
      String.raw`/^socket:\[(\d+)\]$/`,
    ],
    'src/transport/process/process-registry.ts': [
      String.raw`/^\d+$/`,
    ],
    'src/transport/process/run-mark.ts': [
      String.raw`/^\d+$/`,
    ],
  },
  'sources and templates of mcpc, when it is built': {
    'src/report/handlebars/templates.ts': [
      String.raw`/\r\n?/g`,
    ],
    'src/tools/build.ts': [
      String.raw`/^src\//`,
      String.raw`/\.ts$/`,
    ],
    'src/tools/build-commonjs.ts': [
      String.raw`/0&&\(module\.exports=\{[\w$,:]*\}\);?/`,
      String.raw`/var ([\w$]+)=\{\};__export\(\1,\{([\w$:()=>,]+)\}\);/`,
      'new RegExp(String.raw`function\\*? ?${own}\\(`)',
      'new RegExp(String.raw`(?<![\\w$.])${own}(?:[^\\w\\s"\'()]{0,3}=(?![=>])|\\+\\+|--)|(?:\\+\\+|--)${own}(?![\\w$])`)',
      String.raw`/\bimport\(("\.{1,2}\/[\w./-]+\.js")\)/g`,
      String.raw`/\brequire\("((?:\.{1,2}\/)+(?:chunks\/)?)([\w-]+)\.js"\)/g`,
    ],
    'src/tools/build-oclif.ts': [
      String.raw`/^(?:const|var) (\w+_\d+) = ((?:__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm`,
      String.raw`/^exports\.(\w+) = (__importStar\(require\("[^"]+"\)\));$/gm`,
      String.raw`/[\\/]lib[\\/]index\.js$/`,
      String.raw`/[\\/]util[\\/]os\.js$/`,
      String.raw`/[\\/]lib[\\/]logger\.js$/`,
      String.raw`/[\\/]config[\\/]plugin\.js$/`,
      'new RegExp(`^(?:${seldom.join(\'|\')})$`)',
      String.raw`/[\\/]@oclif[\\/]core[\\/]lib[\\/]/`,
      String.raw`/[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/`,
      'new RegExp(`\\\\bnew ${name}\\\\.([\\\\w.]+)`, \'g\')',
      'new RegExp(`\\\\b${name}\\\\.`, \'g\')',
    ],
    'src/tools/build-on-demand.ts': [
      String.raw`/[\\/]json-schema[\\/]on-demand\.ts$/`,
      String.raw`/[\\/]handlebars[\\/]library\.ts$/`,
      String.raw`/[\\/]suite[\\/]file[\\/]validators\.ts$/`,
      String.raw`/[\\/]rules[\\/]rule-validators\.ts$/`,
      String.raw`/[\\/]report[\\/]handlebars[\\/]precompiled\.ts$/`,
    ],
    'src/tools/bundled-licences.ts': [
      String.raw`/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//`,
      String.raw`/^licen[cs]e(?:[.-].*)?$/i`,
    ],
    'src/tools/demo.ts': [
      String.raw`/\s/`,
    ],
    'src/tools/generate/suites.ts': [
      String.raw`/(<!-- generated: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g`,
    ],
    'src/tools/precompile-templates.ts': [
      String.raw`/\r\n?/g`,
    ],
  },
};
