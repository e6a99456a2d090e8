// Written by `npm run generate`.

export type RuleId = 
  | 'authorization/as-metadata-publication'
  | 'authorization/cimd-server-acceptance'
  | 'authorization/legacy-metadata-location'
  | 'authorization/legacy-server-default-paths'
  | 'authorization/legacy-server-metadata'
  | 'authorization/oauth-dynamic-registration-server'
  | 'authorization/pkce-oidc-advertisement'
  | 'authorization/prm-authorization-servers'
  | 'authorization/prm-challenge-header'
  | 'authorization/prm-discovery-mechanism'
  | 'authorization/prm-publication'
  | 'authorization/scope-http-conformance'
  | 'authorization/scope-voluntariness'
  | 'authorization/scopes-challenge-parameter'
  | 'authorization/security-https-endpoints'
  | 'authorization/status-code-choice'
  | 'authorization/status-missing-401'
  | 'authorization/step-up-insufficient-scope-403'
  | 'authorization/token-audience'
  | 'authorization/token-invalid-401'
  | 'authorization/token-transit'
  | 'authorization/token-validation'
  | 'authorization/token-validation-error'
  | 'authorization/token-validation-precedence'
  | 'caching/hints-discover'
  | 'caching/hints-interim-absence'
  | 'caching/hints-prompts-list'
  | 'caching/hints-resources-list'
  | 'caching/hints-resources-read'
  | 'caching/hints-templates-list'
  | 'caching/hints-tools-list'
  | 'caching/pages-scope-uniformity'
  | 'caching/scope-value'
  | 'caching/ttl-integer'
  | 'caching/ttl-non-negativity'
  | 'cancellation/client-notification-own-request'
  | 'cancellation/client-notification-reason-type'
  | 'cancellation/client-notification-request-id'
  | 'cancellation/notification-in-progress-request'
  | 'cancellation/notification-own-request'
  | 'cancellation/notification-reason-type'
  | 'cancellation/notification-request-id'
  | 'cancellation/race-tolerance'
  | 'cancellation/receiver-http-message-silence'
  | 'cancellation/receiver-ignorable-cases'
  | 'cancellation/receiver-invalid-notices'
  | 'cancellation/receiver-response-suppression'
  | 'cancellation/receiver-stdio-message-silence'
  | 'cancellation/receiver-work-stop'
  | 'cancellation/receiver-work-stop-seen'
  | 'cancellation/sender-late-response'
  | 'cancellation/server-other-purposes'
  | 'cancellation/task-dedicated-method'
  | 'capabilities/client-missing-error'
  | 'capabilities/client-missing-error-400'
  | 'capabilities/client-missing-error-data'
  | 'capabilities/declaration-schema'
  | 'capabilities/declared-completions'
  | 'capabilities/declared-methods'
  | 'capabilities/negotiation-negotiated-use'
  | 'capabilities/negotiation-removed-methods'
  | 'capabilities/server-advertisement'
  | 'capabilities/server-unadvertised-method'
  | 'completion/capability-declaration'
  | 'completion/errors-missing-arguments'
  | 'completion/errors-prompt-name'
  | 'completion/errors-unsupported'
  | 'completion/request-schema'
  | 'completion/result-schema'
  | 'completion/result-value-maximum'
  | 'completion/server-input-validation'
  | 'completion/server-permission'
  | 'discover/method-client-choice'
  | 'discover/method-implementation'
  | 'discover/result-instructions-type'
  | 'discover/result-members'
  | 'discover/result-supported-versions'
  | 'elicitation/capability-mode-minimum'
  | 'elicitation/capability-server-mode-use'
  | 'elicitation/capability-server-use'
  | 'elicitation/complete-emission'
  | 'elicitation/complete-identifier'
  | 'elicitation/complete-initiator'
  | 'elicitation/complete-removal'
  | 'elicitation/error-32042-elicitation-list'
  | 'elicitation/error-32042-exclusivity'
  | 'elicitation/error-32042-obligation'
  | 'elicitation/error-32042-permission'
  | 'elicitation/error-32042-url-mode'
  | 'elicitation/form-clickable-urls'
  | 'elicitation/form-enum-variants'
  | 'elicitation/form-flat-schema'
  | 'elicitation/form-params'
  | 'elicitation/form-secrets'
  | 'elicitation/form-string-formats'
  | 'elicitation/oauth-credential-transmission'
  | 'elicitation/request-message'
  | 'elicitation/request-mode-omission'
  | 'elicitation/request-permission'
  | 'elicitation/server-action-reaction'
  | 'elicitation/server-decline-handling'
  | 'elicitation/server-response-validation'
  | 'elicitation/url-https'
  | 'elicitation/url-id-uniqueness'
  | 'elicitation/url-params'
  | 'elicitation/url-permission'
  | 'elicitation/url-preauthentication'
  | 'elicitation/url-user-data'
  | 'elicitation/url-validity'
  | 'errors/code-invalid-params'
  | 'errors/code-invalid-request'
  | 'errors/code-method-not-found'
  | 'errors/code-parse-error'
  | 'errors/custom-code-range'
  | 'errors/invalid-request-answer'
  | 'errors/legacy-range-use'
  | 'errors/reserved-range-meanings'
  | 'errors/reserved-range-undefined-codes'
  | 'errors/retired-code-resource-not-found'
  | 'errors/retired-code-url-elicitation'
  | 'ext-tasks/cancel-acknowledgement'
  | 'ext-tasks/cancel-late-effect'
  | 'ext-tasks/cancel-result-type'
  | 'ext-tasks/creation-durability'
  | 'ext-tasks/declaration-empty-settings'
  | 'ext-tasks/declaration-server-choice'
  | 'ext-tasks/declaration-server-place'
  | 'ext-tasks/declaration-undeclared-creation'
  | 'ext-tasks/declaration-undeclared-refusal'
  | 'ext-tasks/errors-completed-result'
  | 'ext-tasks/errors-failed-error'
  | 'ext-tasks/errors-failed-message'
  | 'ext-tasks/errors-informative-message'
  | 'ext-tasks/errors-undeclared-methods'
  | 'ext-tasks/errors-unknown-cancel'
  | 'ext-tasks/errors-unknown-get'
  | 'ext-tasks/errors-unknown-update'
  | 'ext-tasks/get-cancelled'
  | 'ext-tasks/get-expiry'
  | 'ext-tasks/get-outstanding-requests'
  | 'ext-tasks/get-rate-limit'
  | 'ext-tasks/get-result-type'
  | 'ext-tasks/header-client-name'
  | 'ext-tasks/notification-acknowledged-ids'
  | 'ext-tasks/notification-client-polling'
  | 'ext-tasks/notification-emission'
  | 'ext-tasks/notification-other-messages'
  | 'ext-tasks/notification-undeclared-refusal'
  | 'ext-tasks/notification-whole-task'
  | 'ext-tasks/result-type-elsewhere'
  | 'ext-tasks/result-type-task'
  | 'ext-tasks/security-id-entropy'
  | 'ext-tasks/task-completed-members'
  | 'ext-tasks/task-failed-meaning'
  | 'ext-tasks/task-failed-members'
  | 'ext-tasks/task-input-members'
  | 'ext-tasks/task-interval-change'
  | 'ext-tasks/task-optional-members'
  | 'ext-tasks/task-schema'
  | 'ext-tasks/task-stable-creation'
  | 'ext-tasks/task-status-values'
  | 'ext-tasks/task-terminal-finality'
  | 'ext-tasks/task-timestamps'
  | 'ext-tasks/task-ttl-change'
  | 'ext-tasks/update-acknowledgement'
  | 'ext-tasks/update-key-reuse'
  | 'ext-tasks/update-key-uniqueness'
  | 'ext-tasks/update-late-effect'
  | 'ext-tasks/update-partial'
  | 'ext-tasks/update-result-type'
  | 'ext-tasks/update-unknown-keys'
  | 'extensions/declaration-permission'
  | 'extensions/identifier-server-syntax'
  | 'extensions/mismatch-fallback'
  | 'extensions/settings-object-type'
  | 'http/endpoint-post-and-get-path'
  | 'http/endpoint-post-path'
  | 'http/get-accept-header'
  | 'http/get-batched-messages'
  | 'http/get-client-close'
  | 'http/get-client-stream'
  | 'http/get-message-independence'
  | 'http/get-refusal-405'
  | 'http/get-response-absence'
  | 'http/get-retry-before-close'
  | 'http/get-server-close'
  | 'http/get-server-messages'
  | 'http/get-server-stream'
  | 'http/get-sse-or-405'
  | 'http/header-name-any-letter-case'
  | 'http/header-name-server-case-insensitivity'
  | 'http/header-value-case-sensitivity'
  | 'http/param-header-annotation-emptiness'
  | 'http/param-header-annotation-placement'
  | 'http/param-header-annotation-secrets'
  | 'http/param-header-annotation-token'
  | 'http/param-header-annotation-types'
  | 'http/param-header-annotation-uniqueness'
  | 'http/param-header-comparison-decoding'
  | 'http/param-header-inspection-decoding'
  | 'http/param-header-invalid-characters'
  | 'http/param-header-missing-rejection'
  | 'http/param-header-null-expectation'
  | 'http/param-header-rejection-400'
  | 'http/param-header-server-annotation'
  | 'http/param-header-value-match'
  | 'http/post-accept-header'
  | 'http/post-body-shape'
  | 'http/post-client-responses'
  | 'http/post-json-response'
  | 'http/post-method'
  | 'http/post-notification-202'
  | 'http/post-notification-rejection'
  | 'http/post-rejection-body'
  | 'http/post-removed-method-404'
  | 'http/post-response-type'
  | 'http/post-stream-response'
  | 'http/post-unknown-method-404'
  | 'http/removed-delete-405'
  | 'http/removed-get-405'
  | 'http/removed-last-event-id'
  | 'http/removed-session-id'
  | 'http/resume-cross-stream-replay'
  | 'http/resume-event-id'
  | 'http/resume-event-id-uniqueness'
  | 'http/resume-server-replay'
  | 'http/security-loopback-binding'
  | 'http/security-origin-403'
  | 'http/security-origin-403-body'
  | 'http/security-origin-validation'
  | 'http/sse-batched-interim'
  | 'http/sse-batched-responses'
  | 'http/sse-buffering-header'
  | 'http/sse-close-after-response'
  | 'http/sse-disconnect-as-cancellation'
  | 'http/sse-early-close'
  | 'http/sse-interim-messages'
  | 'http/sse-interim-relevance'
  | 'http/sse-message-per-event'
  | 'http/sse-priming-event'
  | 'http/sse-response-delivery'
  | 'http/sse-resumability'
  | 'http/sse-retry-before-close'
  | 'http/sse-server-disconnection'
  | 'http/sse-server-requests'
  | 'http/std-header-method'
  | 'http/std-header-name'
  | 'http/streams-broadcast'
  | 'http/streams-client-concurrency'
  | 'http/streams-single-delivery'
  | 'http/validation-body-mismatch'
  | 'http/validation-code-32020'
  | 'http/validation-integer-comparison'
  | 'http/validation-missing-method-header'
  | 'http/validation-missing-name-header'
  | 'http/validation-status-400'
  | 'http/version-header-absence-rejection'
  | 'http/version-header-body-equality'
  | 'http/version-header-mismatch-rejection'
  | 'http/version-header-presence'
  | 'icons/listing-permission'
  | 'icons/schema-members'
  | 'jsonrpc/base-lifecycle-support'
  | 'jsonrpc/batch-emission'
  | 'jsonrpc/batch-reception'
  | 'jsonrpc/client-error-code-and-message'
  | 'jsonrpc/client-error-code-type'
  | 'jsonrpc/client-error-message-brevity'
  | 'jsonrpc/client-message-form'
  | 'jsonrpc/client-notification-id-absence'
  | 'jsonrpc/client-notification-member-types'
  | 'jsonrpc/client-request-id-session-uniqueness'
  | 'jsonrpc/client-request-id-type'
  | 'jsonrpc/client-request-method-type'
  | 'jsonrpc/client-request-null-id'
  | 'jsonrpc/client-request-params-type'
  | 'jsonrpc/client-response-error-id'
  | 'jsonrpc/client-response-payload-exclusivity'
  | 'jsonrpc/client-response-payload-presence'
  | 'jsonrpc/client-response-result-id'
  | 'jsonrpc/client-result-object-type'
  | 'jsonrpc/direction-request-scoped-notifications'
  | 'jsonrpc/direction-server-requests'
  | 'jsonrpc/encoding-utf8'
  | 'jsonrpc/error-code-and-message'
  | 'jsonrpc/error-code-type'
  | 'jsonrpc/error-data-member'
  | 'jsonrpc/error-message-brevity'
  | 'jsonrpc/message-form'
  | 'jsonrpc/notification-id-absence'
  | 'jsonrpc/notification-member-types'
  | 'jsonrpc/notification-response-absence'
  | 'jsonrpc/request-answer'
  | 'jsonrpc/request-answer-extra-member'
  | 'jsonrpc/request-answer-refusal'
  | 'jsonrpc/request-id-session-uniqueness'
  | 'jsonrpc/request-id-type'
  | 'jsonrpc/request-method-type'
  | 'jsonrpc/request-null-id'
  | 'jsonrpc/request-params-type'
  | 'jsonrpc/response-error-id'
  | 'jsonrpc/response-payload-exclusivity'
  | 'jsonrpc/response-payload-presence'
  | 'jsonrpc/response-result-id'
  | 'jsonrpc/result-object-type'
  | 'jsonrpc/result-type-extension-values'
  | 'jsonrpc/result-type-member'
  | 'jsonrpc/result-type-value-set'
  | 'lifecycle/client-initialization-precedence'
  | 'lifecycle/errors-preparedness'
  | 'lifecycle/initialization-batch-exclusion'
  | 'lifecycle/initialization-client-request'
  | 'lifecycle/initialization-instructions-type'
  | 'lifecycle/initialization-precedence'
  | 'lifecycle/initialization-server-early-requests'
  | 'lifecycle/initialization-server-result'
  | 'logging/capability-declaration'
  | 'logging/message-schema'
  | 'logging/request-level-invalid-level'
  | 'logging/request-level-opt-in'
  | 'logging/request-level-response-order'
  | 'logging/request-level-stream'
  | 'logging/request-level-threshold'
  | 'logging/request-level-values'
  | 'logging/security-secrets'
  | 'logging/set-level-acceptance'
  | 'logging/set-level-client-use'
  | 'logging/set-level-default'
  | 'logging/set-level-invalid-level'
  | 'logging/set-level-request-schema'
  | 'logging/set-level-threshold'
  | 'meta/client-info-behaviour-influence'
  | 'meta/client-info-inclusion'
  | 'meta/client-info-server-insistence'
  | 'meta/client-key-name-ends'
  | 'meta/client-key-prefix-form'
  | 'meta/client-key-prefix-reservation'
  | 'meta/client-key-prefix-reverse-dns'
  | 'meta/client-value-object-type'
  | 'meta/implementation-name-and-version'
  | 'meta/key-name-ends'
  | 'meta/key-name-inner-characters'
  | 'meta/key-prefix-form'
  | 'meta/key-prefix-reservation'
  | 'meta/key-prefix-reverse-dns'
  | 'meta/key-value-assumptions'
  | 'meta/request-client-capabilities'
  | 'meta/request-missing-capabilities-rejection'
  | 'meta/request-missing-meta-rejection'
  | 'meta/request-missing-version-rejection'
  | 'meta/request-protocol-version'
  | 'meta/request-rejection-http-400'
  | 'meta/server-info-inclusion'
  | 'meta/trace-context-server-format'
  | 'meta/value-object-type'
  | 'mrtr/result-declared-capabilities'
  | 'mrtr/result-key-uniqueness'
  | 'mrtr/result-member-choice'
  | 'mrtr/result-member-minimum'
  | 'mrtr/result-request-kinds'
  | 'mrtr/result-schema'
  | 'mrtr/server-answerable-methods'
  | 'mrtr/server-exclusive-pattern'
  | 'mrtr/server-missing-responses'
  | 'mrtr/server-other-methods'
  | 'mrtr/server-protocol-errors'
  | 'mrtr/server-repetition'
  | 'mrtr/server-response-validation'
  | 'mrtr/server-retry-assumption'
  | 'mrtr/server-unexpected-responses'
  | 'mrtr/state-request-binding'
  | 'mrtr/state-tampering-rejection'
  | 'pagination/cursor-continuation'
  | 'pagination/cursor-invalid-code'
  | 'pagination/cursor-invalid-handling'
  | 'pagination/cursor-next-type'
  | 'pagination/cursor-refusal'
  | 'pagination/cursor-request-type'
  | 'pagination/cursor-stability'
  | 'pagination/cursor-termination'
  | 'pagination/scope-operations'
  | 'ping/answer-empty-result'
  | 'ping/answer-promptness'
  | 'ping/frequency-moderation'
  | 'ping/request-params-absence'
  | 'progress/client-flow-completion-stop'
  | 'progress/client-notification-schema'
  | 'progress/client-token-active-reference'
  | 'progress/client-token-type'
  | 'progress/client-token-uniqueness'
  | 'progress/client-value-increase'
  | 'progress/flow-completion-stop'
  | 'progress/flow-http-stream'
  | 'progress/flow-rate-limit'
  | 'progress/notification-schema'
  | 'progress/receiver-freedom'
  | 'progress/receiver-permission'
  | 'progress/task-terminal-stop'
  | 'progress/task-token-continuation'
  | 'progress/token-active-reference'
  | 'progress/token-type'
  | 'progress/token-uniqueness'
  | 'progress/value-fraction'
  | 'progress/value-increase'
  | 'prompts/capability-declaration'
  | 'prompts/content-audio'
  | 'prompts/content-embedded-resource'
  | 'prompts/content-image'
  | 'prompts/content-resource-link'
  | 'prompts/errors-missing-arguments'
  | 'prompts/errors-unknown-name'
  | 'prompts/get-argument-validation'
  | 'prompts/get-message-schema'
  | 'prompts/get-request-schema'
  | 'prompts/get-result-schema'
  | 'prompts/list-answer'
  | 'prompts/list-availability'
  | 'prompts/list-changed-capability'
  | 'prompts/list-changed-emission'
  | 'prompts/list-changed-permission'
  | 'prompts/list-connection-independence'
  | 'prompts/list-item-schema'
  | 'prompts/list-name-uniqueness'
  | 'prompts/list-result-schema'
  | 'resources/annotations-last-modified'
  | 'resources/annotations-schema'
  | 'resources/capability-declaration'
  | 'resources/list-answer'
  | 'resources/list-availability'
  | 'resources/list-changed-capability'
  | 'resources/list-changed-emission'
  | 'resources/list-changed-permission'
  | 'resources/list-connection-independence'
  | 'resources/list-item-schema'
  | 'resources/list-result-schema'
  | 'resources/read-content-schema'
  | 'resources/read-missing-as-empty'
  | 'resources/read-multiple-contents'
  | 'resources/read-not-found-32002'
  | 'resources/read-not-found-32602'
  | 'resources/read-request-schema'
  | 'resources/read-result-schema'
  | 'resources/read-text-condition'
  | 'resources/security-binary-encoding'
  | 'resources/security-path-traversal'
  | 'resources/security-uri-validation'
  | 'resources/subscribe-capability'
  | 'resources/subscribe-change-notification'
  | 'resources/subscribe-permission'
  | 'resources/subscribe-result'
  | 'resources/templates-availability'
  | 'resources/templates-item-schema'
  | 'resources/templates-mime-uniformity'
  | 'resources/templates-result-schema'
  | 'resources/unsubscribe-effect'
  | 'resources/updated-capability'
  | 'resources/updated-schema'
  | 'resources/updated-stream-delivery'
  | 'resources/updated-subscribers'
  | 'resources/uri-custom-scheme-syntax'
  | 'resources/uri-file-xdg-types'
  | 'resources/uri-uniqueness'
  | 'roots/capability-server-check'
  | 'roots/list-changed-server-handling'
  | 'roots/list-request-schema'
  | 'roots/security-server-unavailability'
  | 'sampling/capability-server-use'
  | 'sampling/capability-tools-declaration'
  | 'sampling/capability-tools-server-use'
  | 'sampling/context-avoidance'
  | 'sampling/context-capability'
  | 'sampling/messages-schema'
  | 'sampling/messages-tool-balance'
  | 'sampling/messages-tool-result-purity'
  | 'sampling/request-preference-range'
  | 'sampling/request-schema'
  | 'sampling/security-content-validation'
  | 'sampling/security-iteration-limit'
  | 'sampling/security-tool-loop-reply'
  | 'sampling/tool-choice-schema'
  | 'sampling/tool-result-id-match'
  | 'sampling/tool-result-schema'
  | 'sampling/tool-result-structured-conformance'
  | 'sampling/tool-use-schema'
  | 'schema/dialect-declaration'
  | 'schema/dialect-draft-2020-12-preference'
  | 'schema/validation-schema-validity'
  | 'session/end-delete-405'
  | 'session/end-server-termination'
  | 'session/end-terminated-404'
  | 'session/id-absence-400'
  | 'session/id-assignment'
  | 'session/id-client-echo'
  | 'session/id-uniqueness-and-secrecy'
  | 'session/id-visible-ascii'
  | 'sse-legacy/endpoint-event'
  | 'sse-legacy/endpoint-pair'
  | 'sse-legacy/message-event-type'
  | 'stdio/framing-embedded-newline'
  | 'stdio/framing-newline-delimiter'
  | 'stdio/framing-newline-delimiter-input'
  | 'stdio/framing-single-message'
  | 'stdio/shutdown-server-exit-on-eof'
  | 'stdio/shutdown-server-initiation'
  | 'stdio/stdin-client-responses'
  | 'stdio/stdin-purity'
  | 'stdio/stdout-purity'
  | 'stdio/stdout-server-requests'
  | 'stdio/stream-server-io'
  | 'subscriptions/acknowledgement-first-message'
  | 'subscriptions/acknowledgement-granted-subset'
  | 'subscriptions/acknowledgement-prior-silence'
  | 'subscriptions/concurrency-client-use'
  | 'subscriptions/concurrency-server-separation'
  | 'subscriptions/event-schemas'
  | 'subscriptions/filter-empty'
  | 'subscriptions/filter-request-scoped-exclusion'
  | 'subscriptions/filter-resource-uris'
  | 'subscriptions/filter-type-adherence'
  | 'subscriptions/identifier-presence'
  | 'subscriptions/identifier-value'
  | 'subscriptions/listen-availability'
  | 'subscriptions/listen-http-stream'
  | 'subscriptions/listen-request-filter'
  | 'subscriptions/listen-result-schema'
  | 'subscriptions/listen-result-timing'
  | 'subscriptions/teardown-client-cancellation'
  | 'subscriptions/teardown-server-result'
  | 'subscriptions/teardown-shutdown-result'
  | 'tasks/cancel-deletion'
  | 'tasks/cancel-permanence'
  | 'tasks/cancel-terminal-rejection'
  | 'tasks/cancel-transition-order'
  | 'tasks/cancel-work-stop'
  | 'tasks/capability-declaration'
  | 'tasks/capability-list-and-cancel'
  | 'tasks/capability-request-exhaustiveness'
  | 'tasks/capability-requestor-abstention'
  | 'tasks/capability-requestor-adherence'
  | 'tasks/capability-undeclared-processing'
  | 'tasks/create-immediate-response'
  | 'tasks/create-result'
  | 'tasks/create-result-promptness'
  | 'tasks/create-ttl-request'
  | 'tasks/errors-informative-message'
  | 'tasks/errors-invalid-cursor'
  | 'tasks/errors-missing-augmentation'
  | 'tasks/errors-status-message'
  | 'tasks/errors-tool-error-status'
  | 'tasks/errors-unknown-task'
  | 'tasks/errors-wrapped-error'
  | 'tasks/errors-wrapped-success'
  | 'tasks/get-poll-interval'
  | 'tasks/get-sse-avoidance'
  | 'tasks/get-sse-disconnection'
  | 'tasks/get-transport-rules'
  | 'tasks/id-receiver-generation'
  | 'tasks/id-type'
  | 'tasks/id-uniqueness'
  | 'tasks/input-related-metadata'
  | 'tasks/input-status-entry'
  | 'tasks/input-status-exit'
  | 'tasks/list-next-cursor'
  | 'tasks/list-pagination'
  | 'tasks/related-message-metadata'
  | 'tasks/related-nested-identifier'
  | 'tasks/related-parameter-authority'
  | 'tasks/related-request-omission'
  | 'tasks/related-result-metadata'
  | 'tasks/related-result-omission'
  | 'tasks/resources-cleanup'
  | 'tasks/resources-ttl-maximum'
  | 'tasks/result-blocking'
  | 'tasks/result-equivalence'
  | 'tasks/result-final-outcome'
  | 'tasks/result-sse-disconnection'
  | 'tasks/schema-create-result'
  | 'tasks/schema-get-and-cancel-result'
  | 'tasks/schema-list-result'
  | 'tasks/schema-metadata'
  | 'tasks/schema-requests'
  | 'tasks/schema-status-notification'
  | 'tasks/schema-task'
  | 'tasks/security-id-entropy'
  | 'tasks/security-unidentified-list'
  | 'tasks/status-initial'
  | 'tasks/status-notification-emission'
  | 'tasks/status-notification-metadata-absence'
  | 'tasks/status-terminal-finality'
  | 'tasks/status-transitions'
  | 'tasks/tool-either-way'
  | 'tasks/tool-forbidden-server'
  | 'tasks/tool-mandatory-server'
  | 'tasks/ttl-created-at'
  | 'tasks/ttl-effective-value'
  | 'tasks/ttl-expiry-deletion'
  | 'tasks/ttl-last-updated-at'
  | 'tasks/ttl-override'
  | 'tasks/ttl-poll-interval'
  | 'tools/annotations-schema'
  | 'tools/call-content-base64'
  | 'tools/call-content-types'
  | 'tools/call-malformed-request'
  | 'tools/call-request-schema'
  | 'tools/call-result-schema'
  | 'tools/capability-declaration'
  | 'tools/errors-execution-failure'
  | 'tools/errors-invalid-arguments'
  | 'tools/errors-unknown-tool'
  | 'tools/execution-task-support-values'
  | 'tools/input-schema-object-root'
  | 'tools/list-answer'
  | 'tools/list-availability'
  | 'tools/list-changed-capability'
  | 'tools/list-changed-emission'
  | 'tools/list-changed-permission'
  | 'tools/list-connection-independence'
  | 'tools/list-deterministic-order'
  | 'tools/list-item-schema'
  | 'tools/list-result-schema'
  | 'tools/list-variability'
  | 'tools/name-case-sensitivity'
  | 'tools/name-character-set'
  | 'tools/name-length'
  | 'tools/name-uniqueness'
  | 'tools/output-schema-any-root'
  | 'tools/output-schema-conformance'
  | 'tools/output-schema-object-root'
  | 'tools/result-embedded-resource'
  | 'tools/result-embedded-resource-capability'
  | 'tools/result-resource-link'
  | 'tools/result-structured-any-json'
  | 'tools/result-structured-content'
  | 'tools/result-structured-object'
  | 'tools/result-structured-text-copy'
  | 'tools/security-input-validation'
  | 'versioning/era-dual-selection'
  | 'versioning/era-dual-server'
  | 'versioning/era-initialize-error-versions'
  | 'versioning/era-initialize-rejection'
  | 'versioning/header-absence-default'
  | 'versioning/header-client-presence'
  | 'versioning/header-invalid-400'
  | 'versioning/initialize-server-alternative'
  | 'versioning/initialize-server-echo'
  | 'versioning/initialize-server-latest-version'
  | 'versioning/negotiated-adherence'
  | 'versioning/stateless-concurrent-contexts'
  | 'versioning/stateless-connection-affinity'
  | 'versioning/stateless-handle-affinity'
  | 'versioning/stateless-handshake-independence'
  | 'versioning/stateless-prior-request-independence'
  | 'versioning/support-older-revisions'
  | 'versioning/unsupported-error-code'
  | 'versioning/unsupported-error-data'
  | 'versioning/unsupported-http-400'
  | 'versioning/unsupported-list-agreement'
  | 'versioning/unsupported-method-coverage';

export type RequirementId = 
  | 'authorization.as-metadata.client-mechanisms'
  | 'authorization.as-metadata.issuer-validation'
  | 'authorization.as-metadata.path-issuer-order'
  | 'authorization.as-metadata.publication'
  | 'authorization.as-metadata.root-issuer-order'
  | 'authorization.as-metadata.wellknown-attempts'
  | 'authorization.binding.credential-reuse'
  | 'authorization.binding.issuer-key'
  | 'authorization.binding.preregistered-mismatch'
  | 'authorization.binding.re-registration'
  | 'authorization.cimd.attestation'
  | 'authorization.cimd.client-fallback'
  | 'authorization.cimd.client-id-url'
  | 'authorization.cimd.client-support-check'
  | 'authorization.cimd.client-use'
  | 'authorization.cimd.document-client-id'
  | 'authorization.cimd.document-https'
  | 'authorization.cimd.document-members'
  | 'authorization.cimd.draft-adherence'
  | 'authorization.cimd.localhost-warning'
  | 'authorization.cimd.private-key-jwt'
  | 'authorization.cimd.redirect-host-display'
  | 'authorization.cimd.server-acceptance'
  | 'authorization.cimd.server-caching'
  | 'authorization.cimd.server-fetch'
  | 'authorization.cimd.server-id-check'
  | 'authorization.cimd.server-redirect-check'
  | 'authorization.cimd.server-risk-assessment'
  | 'authorization.cimd.server-security-section'
  | 'authorization.cimd.server-ssrf'
  | 'authorization.cimd.server-structure-check'
  | 'authorization.cimd.trust-policy'
  | 'authorization.dcr.application-type'
  | 'authorization.dcr.error-surfacing'
  | 'authorization.dcr.failure-handling'
  | 'authorization.dcr.native-type'
  | 'authorization.dcr.web-type'
  | 'authorization.issuer.absence-acceptance'
  | 'authorization.issuer.absence-rejection'
  | 'authorization.issuer.advertisement'
  | 'authorization.issuer.comparison-normalisation'
  | 'authorization.issuer.error-display'
  | 'authorization.issuer.future-obligation'
  | 'authorization.issuer.recording'
  | 'authorization.issuer.response-parameter'
  | 'authorization.issuer.validation'
  | 'authorization.legacy.base-url'
  | 'authorization.legacy.client-default-paths'
  | 'authorization.legacy.client-metadata'
  | 'authorization.legacy.discovery-header'
  | 'authorization.legacy.grant-types'
  | 'authorization.legacy.metadata-advice'
  | 'authorization.legacy.metadata-location'
  | 'authorization.legacy.metadata-precedence'
  | 'authorization.legacy.public-client-advice'
  | 'authorization.legacy.registration-advice'
  | 'authorization.legacy.server-default-paths'
  | 'authorization.legacy.server-metadata'
  | 'authorization.oauth.dynamic-registration-client'
  | 'authorization.oauth.dynamic-registration-server'
  | 'authorization.oauth.version-21'
  | 'authorization.pkce.metadata-reliance'
  | 'authorization.pkce.oauth-metadata-refusal'
  | 'authorization.pkce.oidc-advertisement'
  | 'authorization.pkce.oidc-metadata-check'
  | 'authorization.pkce.oidc-metadata-refusal'
  | 'authorization.pkce.s256-method'
  | 'authorization.pkce.support-check'
  | 'authorization.pkce.use'
  | 'authorization.prm.authorization-servers'
  | 'authorization.prm.challenge-header'
  | 'authorization.prm.client-challenge-parsing'
  | 'authorization.prm.client-mechanisms'
  | 'authorization.prm.client-use'
  | 'authorization.prm.client-wellknown-order'
  | 'authorization.prm.discovery-mechanism'
  | 'authorization.prm.publication'
  | 'authorization.refresh.confidentiality'
  | 'authorization.refresh.grant-type'
  | 'authorization.refresh.issuance-assumption'
  | 'authorization.refresh.offline-access'
  | 'authorization.refresh.offline-access-advertisement'
  | 'authorization.registration.client-id-acquisition'
  | 'authorization.registration.cross-server-assumption'
  | 'authorization.registration.priority'
  | 'authorization.registration.state-per-server'
  | 'authorization.registration.static-credentials'
  | 'authorization.resource.both-requests'
  | 'authorization.resource.canonical-uri'
  | 'authorization.resource.implementation'
  | 'authorization.resource.server-identity'
  | 'authorization.resource.specificity'
  | 'authorization.resource.trailing-slash'
  | 'authorization.resource.unconditional-use'
  | 'authorization.resource.uppercase-acceptance'
  | 'authorization.scope.custom-schemes'
  | 'authorization.scope.http-conformance'
  | 'authorization.scope.other-transports'
  | 'authorization.scope.stdio-environment'
  | 'authorization.scope.voluntariness'
  | 'authorization.scopes.challenge-authority'
  | 'authorization.scopes.challenge-parameter'
  | 'authorization.scopes.challenge-set-relation'
  | 'authorization.scopes.client-fallback'
  | 'authorization.scopes.client-relation-assumption'
  | 'authorization.scopes.hierarchy'
  | 'authorization.scopes.least-privilege'
  | 'authorization.scopes.reauthorization-union'
  | 'authorization.scopes.selection-order'
  | 'authorization.scopes.server-consistency'
  | 'authorization.scopes.single-challenge'
  | 'authorization.security.automatic-redirects'
  | 'authorization.security.communication'
  | 'authorization.security.expiry-and-rotation'
  | 'authorization.security.https-endpoints'
  | 'authorization.security.oauth-best-practice'
  | 'authorization.security.proxy-consent'
  | 'authorization.security.redirect-exact-match'
  | 'authorization.security.redirect-registration'
  | 'authorization.security.redirect-uris'
  | 'authorization.security.refresh-rotation'
  | 'authorization.security.state-parameter'
  | 'authorization.security.token-lifetime'
  | 'authorization.security.token-storage'
  | 'authorization.security.untrusted-redirects'
  | 'authorization.security.user-information'
  | 'authorization.status.code-choice'
  | 'authorization.status.missing-401'
  | 'authorization.step-up.attempt-tracking'
  | 'authorization.step-up.challenged-scopes'
  | 'authorization.step-up.client-reaction'
  | 'authorization.step-up.insufficient-scope-403'
  | 'authorization.step-up.machine-client'
  | 'authorization.step-up.retry-limit'
  | 'authorization.step-up.scope-union'
  | 'authorization.step-up.server-consistency'
  | 'authorization.step-up.user-client'
  | 'authorization.step-up.user-experience'
  | 'authorization.third-party.credential-storage'
  | 'authorization.third-party.delegation'
  | 'authorization.third-party.error-handling'
  | 'authorization.third-party.expiry'
  | 'authorization.third-party.lifecycle'
  | 'authorization.third-party.redirects'
  | 'authorization.third-party.session-timeout'
  | 'authorization.third-party.status-check'
  | 'authorization.third-party.token-chaining'
  | 'authorization.third-party.token-mapping'
  | 'authorization.token.audience'
  | 'authorization.token.bearer-header'
  | 'authorization.token.client-issuer'
  | 'authorization.token.every-request'
  | 'authorization.token.foreign-audience-rejection'
  | 'authorization.token.invalid-401'
  | 'authorization.token.oauth-section-5'
  | 'authorization.token.own-resources'
  | 'authorization.token.own-resources-authorization-server'
  | 'authorization.token.passthrough'
  | 'authorization.token.query-absence'
  | 'authorization.token.transit'
  | 'authorization.token.validation'
  | 'authorization.token.validation-error'
  | 'authorization.token.validation-precedence'
  | 'caching.client.freedom'
  | 'caching.client.key'
  | 'caching.client.notification-invalidation'
  | 'caching.client.polling-jitter'
  | 'caching.client.retry-result-exclusion'
  | 'caching.client.stale-refetch'
  | 'caching.client.ttl-polling'
  | 'caching.hints.discover'
  | 'caching.hints.interim-absence'
  | 'caching.hints.prompts-list'
  | 'caching.hints.resources-list'
  | 'caching.hints.resources-read'
  | 'caching.hints.templates-list'
  | 'caching.hints.tools-list'
  | 'caching.pages.consistent-snapshot'
  | 'caching.pages.cursor-refetch'
  | 'caching.pages.invalid-cursor-restart'
  | 'caching.pages.scope-uniformity'
  | 'caching.scope.private-isolation'
  | 'caching.scope.public-user-data'
  | 'caching.scope.value'
  | 'caching.security.access-control'
  | 'caching.security.public-sharing'
  | 'caching.security.scope-as-barrier'
  | 'caching.server.freedom'
  | 'caching.ttl.absence'
  | 'caching.ttl.integer'
  | 'caching.ttl.negative'
  | 'caching.ttl.non-negativity'
  | 'caching.ttl.positive'
  | 'caching.ttl.zero'
  | 'cancellation.notification.client-signal'
  | 'cancellation.notification.in-flight-schema'
  | 'cancellation.notification.in-progress-request'
  | 'cancellation.notification.initialize-exclusion'
  | 'cancellation.notification.late-arrival'
  | 'cancellation.notification.own-request'
  | 'cancellation.notification.reason-logging'
  | 'cancellation.notification.reason-type'
  | 'cancellation.notification.reason-use'
  | 'cancellation.notification.request-id'
  | 'cancellation.notification.stdio-client-use'
  | 'cancellation.race.tolerance'
  | 'cancellation.receiver.http-disconnect-meaning'
  | 'cancellation.receiver.http-message-silence'
  | 'cancellation.receiver.ignorable-cases'
  | 'cancellation.receiver.invalid-notices'
  | 'cancellation.receiver.resource-release'
  | 'cancellation.receiver.response-suppression'
  | 'cancellation.receiver.stdio-message-silence'
  | 'cancellation.receiver.work-stop'
  | 'cancellation.sender.late-response'
  | 'cancellation.server.other-purposes'
  | 'cancellation.server.subscription-teardown'
  | 'cancellation.task.dedicated-method'
  | 'cancellation.task.request-id-exclusion'
  | 'cancellation.timeout.cancellation'
  | 'cancellation.timeout.configurability'
  | 'cancellation.timeout.establishment'
  | 'cancellation.timeout.maximum'
  | 'cancellation.timeout.progress-reset'
  | 'cancellation.ui.indication'
  | 'capabilities.client.missing-error'
  | 'capabilities.client.missing-error-400'
  | 'capabilities.client.missing-error-data'
  | 'capabilities.client.undeclared-reliance'
  | 'capabilities.declaration.schema'
  | 'capabilities.negotiation.declaration-adherence'
  | 'capabilities.negotiation.negotiated-use'
  | 'capabilities.server.advertisement'
  | 'capabilities.server.unadvertised-method'
  | 'completion.capability.declaration'
  | 'completion.client.caching'
  | 'completion.client.debounce'
  | 'completion.client.partial-results'
  | 'completion.errors.internal'
  | 'completion.errors.missing-arguments'
  | 'completion.errors.prompt-name'
  | 'completion.errors.unsupported'
  | 'completion.request.context-arguments'
  | 'completion.request.schema'
  | 'completion.result.schema'
  | 'completion.result.value-maximum'
  | 'completion.security.access-control'
  | 'completion.security.disclosure'
  | 'completion.security.input-validation'
  | 'completion.security.rate-limit'
  | 'completion.server.fuzzy-matching'
  | 'completion.server.input-validation'
  | 'completion.server.permission'
  | 'completion.server.rate-limit'
  | 'completion.server.relevance-order'
  | 'discover.method.client-choice'
  | 'discover.method.implementation'
  | 'discover.method.request-params'
  | 'discover.result.instructions-type'
  | 'discover.result.members'
  | 'discover.result.supported-versions'
  | 'elicitation.capability.declaration'
  | 'elicitation.capability.mode-minimum'
  | 'elicitation.capability.per-request-declaration'
  | 'elicitation.capability.server-mode-use'
  | 'elicitation.capability.server-use'
  | 'elicitation.complete.client-manual-control'
  | 'elicitation.complete.client-unknown-id'
  | 'elicitation.complete.client-waiting'
  | 'elicitation.complete.emission'
  | 'elicitation.complete.identifier'
  | 'elicitation.complete.initiator'
  | 'elicitation.complete.removal'
  | 'elicitation.error-32042.elicitation-list'
  | 'elicitation.error-32042.exclusivity'
  | 'elicitation.error-32042.obligation'
  | 'elicitation.error-32042.permission'
  | 'elicitation.error-32042.url-mode'
  | 'elicitation.errors.unsupported-mode'
  | 'elicitation.form.clickable-urls'
  | 'elicitation.form.client-defaults'
  | 'elicitation.form.enum-variants'
  | 'elicitation.form.flat-schema'
  | 'elicitation.form.params'
  | 'elicitation.form.secrets'
  | 'elicitation.form.string-formats'
  | 'elicitation.identity.best-practice'
  | 'elicitation.identity.client-claims'
  | 'elicitation.oauth.client-credential-use'
  | 'elicitation.oauth.credential-transit'
  | 'elicitation.oauth.credential-transmission'
  | 'elicitation.oauth.direct-authorization'
  | 'elicitation.phishing.opener-verification'
  | 'elicitation.phishing.same-user'
  | 'elicitation.phishing.tamper-resistance'
  | 'elicitation.request.default-mode'
  | 'elicitation.request.message'
  | 'elicitation.request.mode-omission'
  | 'elicitation.request.permission'
  | 'elicitation.result.content-validity'
  | 'elicitation.result.form-content'
  | 'elicitation.result.schema'
  | 'elicitation.result.url-content'
  | 'elicitation.security.approval-controls'
  | 'elicitation.security.decline-availability'
  | 'elicitation.security.identity-binding'
  | 'elicitation.security.purpose-clarity'
  | 'elicitation.security.rate-limit'
  | 'elicitation.server.action-reaction'
  | 'elicitation.server.decline-handling'
  | 'elicitation.server.response-validation'
  | 'elicitation.server.success-assumption'
  | 'elicitation.state.identity-source'
  | 'elicitation.state.session-only-binding'
  | 'elicitation.state.storage-protection'
  | 'elicitation.state.user-association'
  | 'elicitation.ui.decline-and-cancel'
  | 'elicitation.ui.review-and-edit'
  | 'elicitation.ui.server-identity'
  | 'elicitation.ui.url-consent'
  | 'elicitation.url.client-care'
  | 'elicitation.url.client-clickability'
  | 'elicitation.url.client-consent'
  | 'elicitation.url.client-domain-highlight'
  | 'elicitation.url.client-full-display'
  | 'elicitation.url.client-isolation'
  | 'elicitation.url.client-prefetch'
  | 'elicitation.url.client-suspicion-warning'
  | 'elicitation.url.https'
  | 'elicitation.url.id-opacity'
  | 'elicitation.url.id-uniqueness'
  | 'elicitation.url.params'
  | 'elicitation.url.permission'
  | 'elicitation.url.preauthentication'
  | 'elicitation.url.secrets'
  | 'elicitation.url.self-authorization'
  | 'elicitation.url.user-data'
  | 'elicitation.url.validity'
  | 'errors.code.internal-error'
  | 'errors.code.internal-error-schema'
  | 'errors.code.invalid-params'
  | 'errors.code.invalid-request'
  | 'errors.code.method-not-found'
  | 'errors.code.parse-error'
  | 'errors.custom-code.range'
  | 'errors.legacy-range.allocation'
  | 'errors.legacy-range.interpretation'
  | 'errors.legacy-range.use'
  | 'errors.reserved-range.meanings'
  | 'errors.reserved-range.undefined-codes'
  | 'errors.retired-code.resource-not-found'
  | 'errors.retired-code.url-elicitation'
  | 'ext-tasks.cancel.acknowledgement'
  | 'ext-tasks.cancel.client-forgetting'
  | 'ext-tasks.cancel.client-method'
  | 'ext-tasks.cancel.late-effect'
  | 'ext-tasks.cancel.result-type'
  | 'ext-tasks.cancel.unknown-task'
  | 'ext-tasks.creation.consistency'
  | 'ext-tasks.creation.durability'
  | 'ext-tasks.creation.rounds-first'
  | 'ext-tasks.declaration.client-both-results'
  | 'ext-tasks.declaration.client-place'
  | 'ext-tasks.declaration.client-unsupported-request'
  | 'ext-tasks.declaration.empty-settings'
  | 'ext-tasks.declaration.server-choice'
  | 'ext-tasks.declaration.server-place'
  | 'ext-tasks.declaration.undeclared-creation'
  | 'ext-tasks.declaration.undeclared-refusal'
  | 'ext-tasks.errors.completed-result'
  | 'ext-tasks.errors.failed-error'
  | 'ext-tasks.errors.failed-message'
  | 'ext-tasks.errors.informative-message'
  | 'ext-tasks.errors.internal'
  | 'ext-tasks.errors.undeclared-methods'
  | 'ext-tasks.errors.unknown-cancel'
  | 'ext-tasks.errors.unknown-get'
  | 'ext-tasks.errors.unknown-update'
  | 'ext-tasks.get.cancelled'
  | 'ext-tasks.get.client-interval'
  | 'ext-tasks.get.client-perseverance'
  | 'ext-tasks.get.client-persistence'
  | 'ext-tasks.get.client-ttl'
  | 'ext-tasks.get.completed'
  | 'ext-tasks.get.expiry'
  | 'ext-tasks.get.failed'
  | 'ext-tasks.get.input-required'
  | 'ext-tasks.get.outstanding-requests'
  | 'ext-tasks.get.rate-limit'
  | 'ext-tasks.get.result-type'
  | 'ext-tasks.get.working'
  | 'ext-tasks.header.client-name'
  | 'ext-tasks.notification.acknowledged-ids'
  | 'ext-tasks.notification.client-polling'
  | 'ext-tasks.notification.emission'
  | 'ext-tasks.notification.other-messages'
  | 'ext-tasks.notification.undeclared-refusal'
  | 'ext-tasks.notification.whole-task'
  | 'ext-tasks.result.further-methods'
  | 'ext-tasks.result.supported-methods'
  | 'ext-tasks.result.type-elsewhere'
  | 'ext-tasks.result.type-task'
  | 'ext-tasks.security.authorization'
  | 'ext-tasks.security.bearer-id'
  | 'ext-tasks.security.id-entropy'
  | 'ext-tasks.security.input-trust'
  | 'ext-tasks.task.completed-members'
  | 'ext-tasks.task.failed-meaning'
  | 'ext-tasks.task.failed-members'
  | 'ext-tasks.task.input-members'
  | 'ext-tasks.task.interval-change'
  | 'ext-tasks.task.optional-members'
  | 'ext-tasks.task.schema'
  | 'ext-tasks.task.stable-creation'
  | 'ext-tasks.task.status-values'
  | 'ext-tasks.task.terminal-finality'
  | 'ext-tasks.task.timestamps'
  | 'ext-tasks.task.ttl-change'
  | 'ext-tasks.update.acknowledgement'
  | 'ext-tasks.update.client-deduplication'
  | 'ext-tasks.update.client-fulfilment'
  | 'ext-tasks.update.client-keys'
  | 'ext-tasks.update.client-observation'
  | 'ext-tasks.update.client-once'
  | 'ext-tasks.update.client-trust'
  | 'ext-tasks.update.key-reuse'
  | 'ext-tasks.update.key-uniqueness'
  | 'ext-tasks.update.late-effect'
  | 'ext-tasks.update.partial'
  | 'ext-tasks.update.result-type'
  | 'ext-tasks.update.unknown-keys'
  | 'ext-tasks.update.unknown-task'
  | 'extensions.declaration.permission'
  | 'extensions.identifier.client-syntax'
  | 'extensions.identifier.server-syntax'
  | 'extensions.mismatch.documentation'
  | 'extensions.mismatch.fallback'
  | 'extensions.settings.object-type'
  | 'http.compat.client-old-transport-fallback'
  | 'http.compat.server-old-endpoints'
  | 'http.endpoint.post-and-get-path'
  | 'http.endpoint.post-path'
  | 'http.get.accept-header'
  | 'http.get.batched-messages'
  | 'http.get.client-close'
  | 'http.get.client-stream'
  | 'http.get.message-independence'
  | 'http.get.refusal-405'
  | 'http.get.response-absence'
  | 'http.get.retry-before-close'
  | 'http.get.server-close'
  | 'http.get.server-messages'
  | 'http.get.server-stream'
  | 'http.get.sse-or-405'
  | 'http.header-name.any-letter-case'
  | 'http.header-name.client-case-insensitivity'
  | 'http.header-name.server-case-insensitivity'
  | 'http.header-value.case-sensitivity'
  | 'http.param-header.absent-omission'
  | 'http.param-header.annotation-emptiness'
  | 'http.param-header.annotation-placement'
  | 'http.param-header.annotation-secrets'
  | 'http.param-header.annotation-token'
  | 'http.param-header.annotation-types'
  | 'http.param-header.annotation-uniqueness'
  | 'http.param-header.base64-form'
  | 'http.param-header.base64-markers'
  | 'http.param-header.base64-sentinel-literal'
  | 'http.param-header.client-call-steps'
  | 'http.param-header.client-mirroring'
  | 'http.param-header.client-tool-exclusion'
  | 'http.param-header.client-warning-log'
  | 'http.param-header.comparison-decoding'
  | 'http.param-header.inspection-decoding'
  | 'http.param-header.integer-range'
  | 'http.param-header.intermediary-forwarding'
  | 'http.param-header.invalid-characters'
  | 'http.param-header.mismatch-retry'
  | 'http.param-header.missing-rejection'
  | 'http.param-header.null-expectation'
  | 'http.param-header.null-omission'
  | 'http.param-header.other-transports'
  | 'http.param-header.rejection-400'
  | 'http.param-header.server-annotation'
  | 'http.param-header.value-encoding'
  | 'http.param-header.value-match'
  | 'http.post.accept-header'
  | 'http.post.body-shape'
  | 'http.post.client-response-types'
  | 'http.post.client-responses'
  | 'http.post.json-response'
  | 'http.post.message-per-request'
  | 'http.post.metadata-headers'
  | 'http.post.method'
  | 'http.post.notification-202'
  | 'http.post.notification-rejection'
  | 'http.post.rejection-body'
  | 'http.post.removed-method-404'
  | 'http.post.response-type'
  | 'http.post.stream-response'
  | 'http.post.unknown-method-404'
  | 'http.removed.delete-405'
  | 'http.removed.get-405'
  | 'http.removed.last-event-id'
  | 'http.removed.session-id'
  | 'http.resume.client-last-event-id'
  | 'http.resume.cross-stream-replay'
  | 'http.resume.event-id'
  | 'http.resume.event-id-stream-encoding'
  | 'http.resume.event-id-uniqueness'
  | 'http.resume.server-replay'
  | 'http.security.authentication'
  | 'http.security.loopback-binding'
  | 'http.security.origin-403'
  | 'http.security.origin-403-body'
  | 'http.security.origin-validation'
  | 'http.sse.batched-interim'
  | 'http.sse.batched-responses'
  | 'http.sse.buffering-header'
  | 'http.sse.client-cancellation'
  | 'http.sse.client-comment-handling'
  | 'http.sse.client-polling'
  | 'http.sse.client-retry-delay'
  | 'http.sse.close-after-response'
  | 'http.sse.disconnect-as-cancellation'
  | 'http.sse.disconnection-tolerance'
  | 'http.sse.early-close'
  | 'http.sse.expiry-termination'
  | 'http.sse.interim-messages'
  | 'http.sse.interim-relevance'
  | 'http.sse.keepalive-comments'
  | 'http.sse.lost-request-reissue'
  | 'http.sse.message-per-event'
  | 'http.sse.priming-event'
  | 'http.sse.response-delivery'
  | 'http.sse.resumability'
  | 'http.sse.retry-before-close'
  | 'http.sse.server-disconnection'
  | 'http.sse.server-requests'
  | 'http.std-header.method'
  | 'http.std-header.name'
  | 'http.std-header.name-encoding'
  | 'http.streams.broadcast'
  | 'http.streams.client-concurrency'
  | 'http.streams.loss-mitigation'
  | 'http.streams.single-delivery'
  | 'http.validation.body-mismatch'
  | 'http.validation.code-32020'
  | 'http.validation.integer-comparison'
  | 'http.validation.intermediary-status'
  | 'http.validation.intermediary-version-check'
  | 'http.validation.missing-method-header'
  | 'http.validation.missing-name-header'
  | 'http.validation.status-400'
  | 'http.version-header.absence-as-legacy'
  | 'http.version-header.absence-rejection'
  | 'http.version-header.body-equality'
  | 'http.version-header.mismatch-rejection'
  | 'http.version-header.presence'
  | 'icons.fetch.credential-absence'
  | 'icons.fetch.cross-origin-redirect'
  | 'icons.listing.permission'
  | 'icons.render.png-and-jpeg'
  | 'icons.render.svg-and-webp'
  | 'icons.safety.content-validation'
  | 'icons.safety.distrust'
  | 'icons.safety.executable-caution'
  | 'icons.safety.payload-execution'
  | 'icons.safety.precautions'
  | 'icons.safety.resource-exhaustion'
  | 'icons.safety.size-limits'
  | 'icons.safety.svg-precautions'
  | 'icons.safety.type-restrictions'
  | 'icons.schema.members'
  | 'icons.uri.https-or-data'
  | 'icons.uri.same-origin'
  | 'icons.uri.trusted-domain'
  | 'icons.uri.unsafe-scheme'
  | 'jsonrpc.base.component-choice'
  | 'jsonrpc.base.lifecycle-support'
  | 'jsonrpc.base.pattern-support'
  | 'jsonrpc.batch.emission'
  | 'jsonrpc.batch.reception'
  | 'jsonrpc.custom-transport.documentation'
  | 'jsonrpc.custom-transport.lifecycle-preservation'
  | 'jsonrpc.custom-transport.model-preservation'
  | 'jsonrpc.custom-transport.permission'
  | 'jsonrpc.custom-transport.stdio-framing'
  | 'jsonrpc.direction.binding'
  | 'jsonrpc.direction.field-mirroring'
  | 'jsonrpc.direction.request-scoped-notifications'
  | 'jsonrpc.direction.server-requests'
  | 'jsonrpc.encoding.utf8'
  | 'jsonrpc.error.code-and-message'
  | 'jsonrpc.error.code-type'
  | 'jsonrpc.error.data-member'
  | 'jsonrpc.error.message-brevity'
  | 'jsonrpc.message.form'
  | 'jsonrpc.notification.id-absence'
  | 'jsonrpc.notification.member-types'
  | 'jsonrpc.notification.response-absence'
  | 'jsonrpc.request.id-in-flight-uniqueness'
  | 'jsonrpc.request.id-session-uniqueness'
  | 'jsonrpc.request.id-type'
  | 'jsonrpc.request.method-type'
  | 'jsonrpc.request.null-id'
  | 'jsonrpc.request.params-type'
  | 'jsonrpc.response.error-id'
  | 'jsonrpc.response.payload-exclusivity'
  | 'jsonrpc.response.payload-presence'
  | 'jsonrpc.response.result-id'
  | 'jsonrpc.result.object-type'
  | 'jsonrpc.result.shape-freedom'
  | 'jsonrpc.result.type-absence'
  | 'jsonrpc.result.type-extension-values'
  | 'jsonrpc.result.type-member'
  | 'jsonrpc.result.type-unrecognised'
  | 'jsonrpc.result.type-value-set'
  | 'lifecycle.errors.preparedness'
  | 'lifecycle.initialization.batch-exclusion'
  | 'lifecycle.initialization.client-early-requests'
  | 'lifecycle.initialization.client-request'
  | 'lifecycle.initialization.initialized-notification'
  | 'lifecycle.initialization.instructions-type'
  | 'lifecycle.initialization.precedence'
  | 'lifecycle.initialization.server-early-requests'
  | 'lifecycle.initialization.server-result'
  | 'lifecycle.instructions.use'
  | 'lifecycle.shutdown.http-closure'
  | 'logging.capability.declaration'
  | 'logging.client.filtering'
  | 'logging.client.persistence'
  | 'logging.client.presentation'
  | 'logging.client.severity-display'
  | 'logging.errors.configuration'
  | 'logging.message.schema'
  | 'logging.request-level.invalid-level'
  | 'logging.request-level.opt-in'
  | 'logging.request-level.response-order'
  | 'logging.request-level.stream'
  | 'logging.request-level.threshold'
  | 'logging.request-level.values'
  | 'logging.security.access-control'
  | 'logging.security.content-monitoring'
  | 'logging.security.field-validation'
  | 'logging.security.internal-details'
  | 'logging.security.personal-data'
  | 'logging.security.rate-limit'
  | 'logging.security.secrets'
  | 'logging.server.context'
  | 'logging.server.logger-names'
  | 'logging.server.rate-limit'
  | 'logging.server.sensitive-data-removal'
  | 'logging.set-level.acceptance'
  | 'logging.set-level.client-use'
  | 'logging.set-level.default'
  | 'logging.set-level.invalid-level'
  | 'logging.set-level.request-schema'
  | 'logging.set-level.threshold'
  | 'meta.client-info.behaviour-influence'
  | 'meta.client-info.inclusion'
  | 'meta.client-info.security-decisions'
  | 'meta.client-info.server-insistence'
  | 'meta.implementation.name-and-version'
  | 'meta.key.name-ends'
  | 'meta.key.name-inner-characters'
  | 'meta.key.prefix-form'
  | 'meta.key.prefix-labels'
  | 'meta.key.prefix-reservation'
  | 'meta.key.prefix-reverse-dns'
  | 'meta.key.value-assumptions'
  | 'meta.request.client-capabilities'
  | 'meta.request.missing-capabilities-rejection'
  | 'meta.request.missing-meta-rejection'
  | 'meta.request.missing-version-rejection'
  | 'meta.request.protocol-version'
  | 'meta.request.rejection-http-400'
  | 'meta.server-info.behaviour-influence'
  | 'meta.server-info.inclusion'
  | 'meta.server-info.security-decisions'
  | 'meta.trace-context.client-format'
  | 'meta.trace-context.server-format'
  | 'meta.value.object-type'
  | 'mrtr.client.immediate-retry'
  | 'mrtr.client.input-construction'
  | 'mrtr.client.invented-state'
  | 'mrtr.client.request-isolation'
  | 'mrtr.client.response-shapes'
  | 'mrtr.client.retry-content'
  | 'mrtr.client.retry-id'
  | 'mrtr.client.state-echo'
  | 'mrtr.result.declared-capabilities'
  | 'mrtr.result.key-uniqueness'
  | 'mrtr.result.member-choice'
  | 'mrtr.result.member-minimum'
  | 'mrtr.result.request-kinds'
  | 'mrtr.result.schema'
  | 'mrtr.server.answerable-methods'
  | 'mrtr.server.exclusive-pattern'
  | 'mrtr.server.missing-responses'
  | 'mrtr.server.other-methods'
  | 'mrtr.server.protocol-errors'
  | 'mrtr.server.repetition'
  | 'mrtr.server.response-validation'
  | 'mrtr.server.retry-assumption'
  | 'mrtr.server.unexpected-responses'
  | 'mrtr.state.client-opacity'
  | 'mrtr.state.distrust'
  | 'mrtr.state.expiry-binding'
  | 'mrtr.state.integrity-exemption'
  | 'mrtr.state.integrity-protection'
  | 'mrtr.state.principal-binding'
  | 'mrtr.state.request-binding'
  | 'mrtr.state.single-use'
  | 'mrtr.state.tampering-rejection'
  | 'mrtr.state.validation'
  | 'pagination.client.both-flows'
  | 'pagination.client.cursor-opacity'
  | 'pagination.client.cursor-persistence'
  | 'pagination.client.empty-cursor'
  | 'pagination.client.end-detection'
  | 'pagination.client.page-size-assumption'
  | 'pagination.cursor.continuation'
  | 'pagination.cursor.invalid-code'
  | 'pagination.cursor.invalid-handling'
  | 'pagination.cursor.next-type'
  | 'pagination.cursor.request-type'
  | 'pagination.cursor.stability'
  | 'pagination.cursor.termination'
  | 'pagination.scope.operations'
  | 'ping.answer.empty-result'
  | 'ping.answer.promptness'
  | 'ping.failure.logging'
  | 'ping.frequency.configurability'
  | 'ping.frequency.moderation'
  | 'ping.frequency.periodicity'
  | 'ping.request.params-absence'
  | 'ping.timeout.failure-treatment'
  | 'ping.timeout.network-fit'
  | 'ping.timeout.reaction'
  | 'ping.timeout.repeated-failure-reset'
  | 'progress.flow.completion-stop'
  | 'progress.flow.http-stream'
  | 'progress.flow.rate-limit'
  | 'progress.message.relevance'
  | 'progress.notification.schema'
  | 'progress.receiver.freedom'
  | 'progress.receiver.permission'
  | 'progress.task.terminal-stop'
  | 'progress.task.token-continuation'
  | 'progress.task.token-identity'
  | 'progress.token.active-reference'
  | 'progress.token.running-operation'
  | 'progress.token.tracking'
  | 'progress.token.type'
  | 'progress.token.uniqueness'
  | 'progress.value.fraction'
  | 'progress.value.increase'
  | 'prompts.capability.declaration'
  | 'prompts.capability.negotiation'
  | 'prompts.content.audio'
  | 'prompts.content.embedded-resource'
  | 'prompts.content.image'
  | 'prompts.content.resource-link'
  | 'prompts.errors.internal'
  | 'prompts.errors.missing-arguments'
  | 'prompts.errors.unknown-name'
  | 'prompts.get.argument-validation'
  | 'prompts.get.message-schema'
  | 'prompts.get.request-schema'
  | 'prompts.get.result-schema'
  | 'prompts.list-changed.capability'
  | 'prompts.list-changed.emission'
  | 'prompts.list-changed.permission'
  | 'prompts.list.availability'
  | 'prompts.list.client-pagination'
  | 'prompts.list.connection-independence'
  | 'prompts.list.item-schema'
  | 'prompts.list.name-uniqueness'
  | 'prompts.list.result-schema'
  | 'prompts.security.injection'
  | 'resources.annotations.last-modified'
  | 'resources.annotations.schema'
  | 'resources.capability.declaration'
  | 'resources.list-changed.capability'
  | 'resources.list-changed.emission'
  | 'resources.list-changed.permission'
  | 'resources.list.availability'
  | 'resources.list.connection-independence'
  | 'resources.list.item-schema'
  | 'resources.list.result-schema'
  | 'resources.read.client-legacy-code'
  | 'resources.read.content-schema'
  | 'resources.read.missing-as-empty'
  | 'resources.read.multiple-contents'
  | 'resources.read.not-found-32002'
  | 'resources.read.not-found-32602'
  | 'resources.read.request-schema'
  | 'resources.read.result-schema'
  | 'resources.read.text-condition'
  | 'resources.security.access-control'
  | 'resources.security.binary-encoding'
  | 'resources.security.path-traversal'
  | 'resources.security.permission-check'
  | 'resources.security.uri-validation'
  | 'resources.subscribe.capability'
  | 'resources.subscribe.change-notification'
  | 'resources.subscribe.permission'
  | 'resources.subscribe.result'
  | 'resources.templates.availability'
  | 'resources.templates.item-schema'
  | 'resources.templates.mime-uniformity'
  | 'resources.templates.result-schema'
  | 'resources.unsubscribe.effect'
  | 'resources.updated.capability'
  | 'resources.updated.schema'
  | 'resources.updated.stream-delivery'
  | 'resources.updated.subscribers'
  | 'resources.uri.custom-scheme-syntax'
  | 'resources.uri.file-xdg-types'
  | 'resources.uri.https-scheme'
  | 'resources.uri.other-scheme'
  | 'resources.uri.uniqueness'
  | 'roots.capability.declaration'
  | 'roots.capability.per-request-declaration'
  | 'roots.capability.server-check'
  | 'roots.errors.internal'
  | 'roots.errors.unsupported'
  | 'roots.list-changed.emission'
  | 'roots.list-changed.server-handling'
  | 'roots.list.request-schema'
  | 'roots.list.result-schema'
  | 'roots.list.uri-scheme'
  | 'roots.practice.client-accessibility'
  | 'roots.practice.client-change-watch'
  | 'roots.practice.client-consent'
  | 'roots.practice.client-interface'
  | 'roots.practice.server-caching'
  | 'roots.security.client-access-control'
  | 'roots.security.client-monitoring'
  | 'roots.security.client-permissions'
  | 'roots.security.client-uri-validation'
  | 'roots.security.server-boundaries'
  | 'roots.security.server-path-validation'
  | 'roots.security.server-unavailability'
  | 'sampling.capability.declaration'
  | 'sampling.capability.per-request-declaration'
  | 'sampling.capability.server-use'
  | 'sampling.capability.tools-client-error'
  | 'sampling.capability.tools-declaration'
  | 'sampling.capability.tools-server-use'
  | 'sampling.client.context-freedom'
  | 'sampling.client.fewer-tokens'
  | 'sampling.client.preference-advice'
  | 'sampling.client.preference-freedom'
  | 'sampling.client.system-prompt'
  | 'sampling.context.avoidance'
  | 'sampling.context.capability'
  | 'sampling.errors.rejection'
  | 'sampling.errors.tool-result-missing'
  | 'sampling.errors.tool-result-mixed'
  | 'sampling.hints.order'
  | 'sampling.hints.other-family'
  | 'sampling.hints.precedence'
  | 'sampling.hints.priority-tie-break'
  | 'sampling.hints.provider-mapping'
  | 'sampling.hints.substring-match'
  | 'sampling.messages.retention'
  | 'sampling.messages.schema'
  | 'sampling.messages.tool-balance'
  | 'sampling.messages.tool-result-purity'
  | 'sampling.request.preference-range'
  | 'sampling.request.schema'
  | 'sampling.result.max-tokens'
  | 'sampling.result.schema'
  | 'sampling.result.stop-reason-openness'
  | 'sampling.security.approval-controls'
  | 'sampling.security.content-validation'
  | 'sampling.security.hint-respect'
  | 'sampling.security.iteration-limit'
  | 'sampling.security.rate-limit'
  | 'sampling.security.sensitive-data'
  | 'sampling.security.tool-loop-reply'
  | 'sampling.tool-choice.mandatory-use'
  | 'sampling.tool-choice.none'
  | 'sampling.tool-choice.parallel-extension'
  | 'sampling.tool-choice.schema'
  | 'sampling.tool-result.id-match'
  | 'sampling.tool-result.meta-preservation'
  | 'sampling.tool-result.schema'
  | 'sampling.tool-result.structured-conformance'
  | 'sampling.tool-use.meta-preservation'
  | 'sampling.tool-use.schema'
  | 'sampling.ui.human-control'
  | 'sampling.ui.prompt-editing'
  | 'sampling.ui.request-review'
  | 'sampling.ui.response-review'
  | 'schema.dialect.declaration'
  | 'schema.dialect.default'
  | 'schema.dialect.documentation'
  | 'schema.dialect.draft-2020-12-preference'
  | 'schema.dialect.draft-2020-12-support'
  | 'schema.dialect.unsupported-error'
  | 'schema.reference.client-network-fetch'
  | 'schema.reference.opt-in-default'
  | 'schema.reference.opt-in-mode'
  | 'schema.reference.opt-in-safeguards'
  | 'schema.reference.server-network-fetch'
  | 'schema.reference.unresolved-rejection'
  | 'schema.validation.composition-bounds'
  | 'schema.validation.dialect-choice'
  | 'schema.validation.schema-validity'
  | 'security.host.consent-control'
  | 'security.host.data-consent'
  | 'security.host.data-transmission'
  | 'security.host.sampling-approval'
  | 'security.host.tool-consent'
  | 'security.implementor.access-controls'
  | 'security.implementor.best-practices'
  | 'security.implementor.consent-flows'
  | 'security.implementor.documentation'
  | 'security.implementor.privacy'
  | 'session.end.client-delete'
  | 'session.end.client-restart'
  | 'session.end.delete-405'
  | 'session.end.server-termination'
  | 'session.end.terminated-404'
  | 'session.id.absence-400'
  | 'session.id.assignment'
  | 'session.id.client-echo'
  | 'session.id.client-secrecy'
  | 'session.id.uniqueness-and-secrecy'
  | 'session.id.visible-ascii'
  | 'sse-legacy.endpoint.client-posting'
  | 'sse-legacy.endpoint.event'
  | 'sse-legacy.endpoint.pair'
  | 'sse-legacy.message.event-type'
  | 'stdio.framing.embedded-newline'
  | 'stdio.framing.newline-delimiter'
  | 'stdio.framing.single-message'
  | 'stdio.process.client-launch'
  | 'stdio.process.lifetime-independence'
  | 'stdio.process.unexpected-exit-restart'
  | 'stdio.shutdown.server-exit-on-eof'
  | 'stdio.shutdown.server-initiation'
  | 'stdio.shutdown.sigkill'
  | 'stdio.shutdown.sigterm'
  | 'stdio.shutdown.stdin-closure'
  | 'stdio.stderr.client-handling'
  | 'stdio.stderr.failure-inference'
  | 'stdio.stderr.server-logging'
  | 'stdio.stdin.client-responses'
  | 'stdio.stdin.purity'
  | 'stdio.stdout.purity'
  | 'stdio.stdout.server-requests'
  | 'stdio.stream.server-io'
  | 'stdio.support.client-offer'
  | 'subscriptions.acknowledgement.client-comparison'
  | 'subscriptions.acknowledgement.first-message'
  | 'subscriptions.acknowledgement.granted-subset'
  | 'subscriptions.acknowledgement.prior-silence'
  | 'subscriptions.acknowledgement.stdio-interleaving'
  | 'subscriptions.concurrency.client-use'
  | 'subscriptions.concurrency.server-separation'
  | 'subscriptions.event.schemas'
  | 'subscriptions.filter.empty'
  | 'subscriptions.filter.request-scoped-exclusion'
  | 'subscriptions.filter.resource-uris'
  | 'subscriptions.filter.type-adherence'
  | 'subscriptions.identifier.client-correlation'
  | 'subscriptions.identifier.presence'
  | 'subscriptions.identifier.value'
  | 'subscriptions.listen.availability'
  | 'subscriptions.listen.http-stream'
  | 'subscriptions.listen.request-filter'
  | 'subscriptions.listen.result-schema'
  | 'subscriptions.listen.result-timing'
  | 'subscriptions.reconnection.client-decision'
  | 'subscriptions.reconnection.state-absence'
  | 'subscriptions.reconnection.stdio-resubscription'
  | 'subscriptions.teardown.client-cancellation'
  | 'subscriptions.teardown.server-result'
  | 'tasks.audit.receiver-context'
  | 'tasks.audit.receiver-events'
  | 'tasks.audit.receiver-patterns'
  | 'tasks.audit.requestor-events'
  | 'tasks.audit.requestor-tracking'
  | 'tasks.cancel.deletion'
  | 'tasks.cancel.permanence'
  | 'tasks.cancel.retention-reliance'
  | 'tasks.cancel.terminal-rejection'
  | 'tasks.cancel.transition-order'
  | 'tasks.cancel.work-stop'
  | 'tasks.capability.declaration'
  | 'tasks.capability.list-and-cancel'
  | 'tasks.capability.mandatory-augmentation'
  | 'tasks.capability.request-exhaustiveness'
  | 'tasks.capability.requestor-abstention'
  | 'tasks.capability.requestor-adherence'
  | 'tasks.capability.undeclared-processing'
  | 'tasks.create.immediate-response'
  | 'tasks.create.result'
  | 'tasks.create.result-promptness'
  | 'tasks.create.ttl-request'
  | 'tasks.errors.informative-message'
  | 'tasks.errors.internal'
  | 'tasks.errors.invalid-cursor'
  | 'tasks.errors.missing-augmentation'
  | 'tasks.errors.status-message'
  | 'tasks.errors.tool-error-status'
  | 'tasks.errors.unknown-task'
  | 'tasks.errors.wrapped-error'
  | 'tasks.errors.wrapped-success'
  | 'tasks.get.poll-interval'
  | 'tasks.get.polling-beside-result'
  | 'tasks.get.polling-duration'
  | 'tasks.get.sse-avoidance'
  | 'tasks.get.sse-disconnection'
  | 'tasks.get.transport-rules'
  | 'tasks.id.receiver-generation'
  | 'tasks.id.type'
  | 'tasks.id.uniqueness'
  | 'tasks.input.client-stream-expectation'
  | 'tasks.input.related-metadata'
  | 'tasks.input.result-call'
  | 'tasks.input.status-entry'
  | 'tasks.input.status-exit'
  | 'tasks.list.completeness'
  | 'tasks.list.cursor-opacity'
  | 'tasks.list.next-cursor'
  | 'tasks.list.pagination'
  | 'tasks.related.message-metadata'
  | 'tasks.related.metadata-disregard'
  | 'tasks.related.nested-identifier'
  | 'tasks.related.parameter-authority'
  | 'tasks.related.request-omission'
  | 'tasks.related.result-metadata'
  | 'tasks.related.result-omission'
  | 'tasks.resources.cleanup'
  | 'tasks.resources.concurrency-documentation'
  | 'tasks.resources.concurrency-limit'
  | 'tasks.resources.monitoring'
  | 'tasks.resources.ttl-documentation'
  | 'tasks.resources.ttl-maximum'
  | 'tasks.result.blocking'
  | 'tasks.result.equivalence'
  | 'tasks.result.final-outcome'
  | 'tasks.result.sse-disconnection'
  | 'tasks.schema.create-result'
  | 'tasks.schema.get-and-cancel-result'
  | 'tasks.schema.list-result'
  | 'tasks.schema.metadata'
  | 'tasks.schema.requests'
  | 'tasks.schema.status-notification'
  | 'tasks.schema.task'
  | 'tasks.security.context-binding'
  | 'tasks.security.foreign-rejection'
  | 'tasks.security.id-entropy'
  | 'tasks.security.limitation-documentation'
  | 'tasks.security.own-list'
  | 'tasks.security.rate-limit'
  | 'tasks.security.unidentified-list'
  | 'tasks.status-notification.continued-polling'
  | 'tasks.status-notification.emission'
  | 'tasks.status-notification.metadata-absence'
  | 'tasks.status-notification.reliance'
  | 'tasks.status.initial'
  | 'tasks.status.terminal-finality'
  | 'tasks.status.transitions'
  | 'tasks.tool.capability-absence'
  | 'tasks.tool.either-way'
  | 'tasks.tool.forbidden-client'
  | 'tasks.tool.forbidden-server'
  | 'tasks.tool.mandatory-client'
  | 'tasks.tool.mandatory-server'
  | 'tasks.ttl.created-at'
  | 'tasks.ttl.effective-value'
  | 'tasks.ttl.expiry-deletion'
  | 'tasks.ttl.last-updated-at'
  | 'tasks.ttl.override'
  | 'tasks.ttl.poll-interval'
  | 'tools.aggregation.collisions'
  | 'tools.aggregation.disambiguation'
  | 'tools.aggregation.server-name-reliance'
  | 'tools.annotations.distrust'
  | 'tools.annotations.schema'
  | 'tools.call.content-base64'
  | 'tools.call.content-types'
  | 'tools.call.malformed-request'
  | 'tools.call.request-schema'
  | 'tools.call.result-schema'
  | 'tools.capability.client-use'
  | 'tools.capability.declaration'
  | 'tools.errors.client-execution-forwarding'
  | 'tools.errors.client-protocol-forwarding'
  | 'tools.errors.execution-failure'
  | 'tools.errors.invalid-arguments'
  | 'tools.errors.unknown-tool'
  | 'tools.execution.task-support-values'
  | 'tools.input-schema.object-root'
  | 'tools.list-changed.capability'
  | 'tools.list-changed.emission'
  | 'tools.list-changed.permission'
  | 'tools.list.authorization-dependence'
  | 'tools.list.availability'
  | 'tools.list.connection-independence'
  | 'tools.list.deterministic-order'
  | 'tools.list.item-schema'
  | 'tools.list.result-schema'
  | 'tools.list.variability'
  | 'tools.name.case-sensitivity'
  | 'tools.name.character-set'
  | 'tools.name.length'
  | 'tools.name.special-characters'
  | 'tools.name.uniqueness'
  | 'tools.output-schema.any-root'
  | 'tools.output-schema.client-validation'
  | 'tools.output-schema.conformance'
  | 'tools.output-schema.object-root'
  | 'tools.result.embedded-resource'
  | 'tools.result.embedded-resource-capability'
  | 'tools.result.resource-link'
  | 'tools.result.structured-any-json'
  | 'tools.result.structured-content'
  | 'tools.result.structured-object'
  | 'tools.result.structured-text-copy'
  | 'tools.security.access-control'
  | 'tools.security.client-audit-log'
  | 'tools.security.client-confirmation'
  | 'tools.security.client-input-display'
  | 'tools.security.client-result-validation'
  | 'tools.security.client-timeout'
  | 'tools.security.input-validation'
  | 'tools.security.output-sanitising'
  | 'tools.security.rate-limit'
  | 'tools.ui.confirmation'
  | 'tools.ui.human-control'
  | 'tools.ui.invocation-indication'
  | 'tools.ui.tool-display'
  | 'versioning.deprecation.adoption'
  | 'versioning.deprecation.migration'
  | 'versioning.era.client-memory'
  | 'versioning.era.client-persistence'
  | 'versioning.era.concurrent-service'
  | 'versioning.era.dual-selection'
  | 'versioning.era.dual-server'
  | 'versioning.era.initialize-error-versions'
  | 'versioning.era.initialize-rejection'
  | 'versioning.header.absence-default'
  | 'versioning.header.client-presence'
  | 'versioning.header.invalid-400'
  | 'versioning.header.negotiated-value'
  | 'versioning.http-probe.error-body-inspection'
  | 'versioning.http-probe.modern-attempt'
  | 'versioning.http-probe.unrecognised-body-fallback'
  | 'versioning.initialize.client-disconnection'
  | 'versioning.initialize.client-disconnection-schema'
  | 'versioning.initialize.client-latest-version'
  | 'versioning.initialize.client-supported-version'
  | 'versioning.initialize.server-alternative'
  | 'versioning.initialize.server-echo'
  | 'versioning.initialize.server-latest-version'
  | 'versioning.negotiated.adherence'
  | 'versioning.stateless.concurrent-contexts'
  | 'versioning.stateless.connection-affinity'
  | 'versioning.stateless.explicit-handles'
  | 'versioning.stateless.handshake-independence'
  | 'versioning.stateless.prior-request-independence'
  | 'versioning.stdio-probe.discovery-first'
  | 'versioning.stdio-probe.fallback-trigger'
  | 'versioning.stdio-probe.modern-error-fallback'
  | 'versioning.stdio-probe.modern-only-client'
  | 'versioning.support.older-revisions'
  | 'versioning.unsupported.client-retry'
  | 'versioning.unsupported.error-code'
  | 'versioning.unsupported.error-data'
  | 'versioning.unsupported.http-400'
  | 'versioning.unsupported.list-agreement'
  | 'versioning.unsupported.method-coverage';

export type OperatorName = 
  | 'exists'
  | 'is'
  | 'isNot'
  | 'isOneOf'
  | 'isNoneOf'
  | 'hasType'
  | 'atLeast'
  | 'atMost'
  | 'matches'
  | 'hasLengthAtMost'
  | 'isEmpty'
  | 'hasMembers'
  | 'lacksMembers'
  | 'hasOnlyMembers'
  | 'includes'
  | 'everyHasType'
  | 'everyMatches'
  | 'isStrictlyIncreasing'
  | 'isUnique'
  | 'countIs'
  | 'hasLengthAtLeast'
  | 'isMonotonic'
  | 'followsTransitions'
  | 'atMostWithin'
  | 'isAfter'
  | 'isNotAfter'
  | 'matchesSchema'
  | 'everyMatchesSchema'
  | 'hasDecidableSchemas'
  | 'everyIsValidSchema'
  | 'isDecidableUnder'
  | 'conformsToSchema';

export type SessionFact = 
  | 'session.transport'
  | 'session.era'
  | 'session.revision'
  | 'session.requestedVersion'
  | 'session.clientCapabilities'
  | 'session.serverCapabilities'
  | 'session.handshakeResult'
  | 'session.statefulHandshake'
  | 'session.hasSessionId'
  | 'session.lost'
  | 'session.uses'
  | 'session.gaveCredential'
  | 'session.madeTask'
  | 'session.challenged'
  | 'session.discoveredVersions'
  | 'session.freshInitialize';

export interface SubjectFacts {
  message: 
  | 'subject.from'
  | 'subject.shape'
  | 'subject.message'
  | 'subject.jsonrpc'
  | 'subject.method'
  | 'subject.methodRevisions'
  | 'subject.id'
  | 'subject.hasId'
  | 'subject.params'
  | 'subject.hasParams'
  | 'subject.result'
  | 'subject.error'
  | 'subject.isMethodNotification'
  | 'subject.inBatch'
  | 'subject.raw'
  | 'subject.utf8'
  | 'subject.via'
  | 'subject.eventName'
  | 'subject.httpStatus'
  | 'subject.postMethod'
  | 'subject.postCarries'
  | 'subject.phase'
  | 'subject.replyState'
  | 'subject.repliesTo'
  | 'subject.afterUnparseableInput'
  | 'subject.idReused'
  | 'subject.copied'
  | 'subject.replay'
  | 'subject.openStreams'
  | 'subject.tokenState'
  | 'subject.tokenAmbiguous'
  | 'subject.tokenStream'
  | 'subject.requestStream'
  | 'subject.resumedStream'
  | 'subject.progressToken'
  | 'subject.hasProgressToken'
  | 'subject.progressTokenInUse'
  | 'subject.cancels'
  | 'subject.cancelledMethod'
  | 'subject.cancelsLate'
  | 'subject.metas'
  | 'subject.metaKeys'
  | 'subject.repeatedInputKeys'
  | 'subject.logText'
  | 'subject.logLevelAsked'
  | 'subject.afterResponse'
  | 'subject.threshold'
  | 'subject.announced'
  | 'subject.subscribed'
  | 'subject.subscriptionState'
  | 'subject.subscriptionAnswered'
  | 'subject.subscriptionAsked'
  | 'subject.taskListened'
  | 'subject.subscriptions'
  | 'subject.relatedTask'
  | 'subject.sole'
  | 'subject.tokenTask';
  exchange: 
  | 'subject.from'
  | 'subject.method'
  | 'subject.request'
  | 'subject.params'
  | 'subject.id'
  | 'subject.phase'
  | 'subject.inBatch'
  | 'subject.framing'
  | 'subject.outcome'
  | 'subject.misanswered'
  | 'subject.answered'
  | 'subject.result'
  | 'subject.error'
  | 'subject.errorCode'
  | 'subject.progressValues'
  | 'subject.progressTimes'
  | 'subject.tokenAmbiguous'
  | 'subject.progressMixed'
  | 'subject.cancelled'
  | 'subject.streamClosedBy'
  | 'subject.givenUp'
  | 'subject.resumptionRefused'
  | 'subject.becameTask'
  | 'subject.afterUnparseableInput'
  | 'subject.othersInFlight'
  | 'subject.elapsedMs'
  | 'subject.httpStatus'
  | 'subject.contentType'
  | 'subject.requestHeaders'
  | 'subject.declaredVersion'
  | 'subject.metaKeys'
  | 'subject.hasMeta'
  | 'subject.besideOthers'
  | 'subject.cursorElsewhere'
  | 'subject.workedBefore'
  | 'subject.handleElsewhere'
  | 'subject.headerAnnotations'
  | 'subject.rounds'
  | 'subject.retry'
  | 'subject.wantedBefore'
  | 'subject.leftBefore'
  | 'subject.listed'
  | 'subject.nameMatch'
  | 'subject.equalsExactCall'
  | 'subject.templateMimeType'
  | 'subject.openTemplates'
  | 'subject.namelessCall'
  | 'subject.cursor'
  | 'subject.cursorState'
  | 'subject.listPaginates'
  | 'subject.ownCursors'
  | 'subject.itemCount'
  | 'subject.nextCursor'
  | 'subject.askedBefore'
  | 'subject.equalsEarlierPage'
  | 'subject.otherInBetween'
  | 'subject.sincePageMs'
  | 'subject.callsSincePage'
  | 'subject.equalsFirstPage'
  | 'subject.paramHeaders'
  | 'subject.nameHeader'
  | 'subject.nameInOtherCase'
  | 'subject.servedBefore'
  | 'subject.equalsEarlierRead'
  | 'subject.steadyBefore'
  | 'subject.untoldBefore'
  | 'subject.callsSinceRead'
  | 'subject.updatesSinceRead'
  | 'subject.ownUpdatesSinceRead'
  | 'subject.subscription'
  | 'subject.heardSinceRead'
  | 'subject.cancelledWork'
  | 'subject.listened'
  | 'subject.asTask'
  | 'subject.taskDeclared'
  | 'subject.taskSupport'
  | 'subject.plainOutcomes'
  | 'subject.relatedTask'
  | 'subject.taskState'
  | 'subject.earlierLooks'
  | 'subject.polledEarly'
  | 'subject.taskExpired'
  | 'subject.inputKeys'
  | 'subject.laterRequestsAnsweredFirst'
  | 'subject.taskOverdueMs'
  | 'subject.elsewhere'
  | 'subject.argumentsFault'
  | 'subject.wronglyTypedArguments'
  | 'subject.wrongArgumentEchoed'
  | 'subject.structuredCopy';
  followUp: 
  | 'subject.from'
  | 'subject.method'
  | 'subject.request'
  | 'subject.params'
  | 'subject.id'
  | 'subject.phase'
  | 'subject.inBatch'
  | 'subject.framing'
  | 'subject.outcome'
  | 'subject.misanswered'
  | 'subject.answered'
  | 'subject.result'
  | 'subject.error'
  | 'subject.errorCode'
  | 'subject.progressValues'
  | 'subject.progressTimes'
  | 'subject.tokenAmbiguous'
  | 'subject.progressMixed'
  | 'subject.cancelled'
  | 'subject.streamClosedBy'
  | 'subject.givenUp'
  | 'subject.resumptionRefused'
  | 'subject.becameTask'
  | 'subject.afterUnparseableInput'
  | 'subject.othersInFlight'
  | 'subject.elapsedMs'
  | 'subject.httpStatus'
  | 'subject.contentType'
  | 'subject.requestHeaders'
  | 'subject.declaredVersion'
  | 'subject.metaKeys'
  | 'subject.hasMeta'
  | 'subject.of'
  | 'subject.message'
  | 'subject.raw'
  | 'subject.orphans'
  | 'subject.aliveAfter'
  | 'subject.failedAfter'
  | 'subject.batch'
  | 'subject.cancels'
  | 'subject.cancelsMethod'
  | 'subject.answersCancelled'
  | 'subject.answeredAfterCancel'
  | 'subject.progressLate'
  | 'subject.repliedLate'
  | 'subject.repliedAfterCancel'
  | 'subject.servedBefore'
  | 'subject.hasCursor';
  stdoutLine: 
  | 'subject.parses'
  | 'subject.text'
  | 'subject.content'
  | 'subject.run'
  | 'subject.unterminated'
  | 'subject.framingFaults';
  http: 
  | 'subject.method'
  | 'subject.requestHeaders'
  | 'subject.carries'
  | 'subject.rpcMethod'
  | 'subject.rpcParams'
  | 'subject.phase'
  | 'subject.sessionHeader'
  | 'subject.sessionIssued'
  | 'subject.endpointNamed'
  | 'subject.cancelled'
  | 'subject.versionHeader'
  | 'subject.origin'
  | 'subject.credentials'
  | 'subject.challenge'
  | 'subject.lastEventId'
  | 'subject.outcome'
  | 'subject.status'
  | 'subject.success'
  | 'subject.responseHeaders'
  | 'subject.contentType'
  | 'subject.sessionEnded'
  | 'subject.bodyBytes'
  | 'subject.reply'
  | 'subject.replyMessage'
  | 'subject.batchReply';
  stream: 
  | 'subject.method'
  | 'subject.rpcMethod'
  | 'subject.resumes'
  | 'subject.versionHeader'
  | 'subject.eventCount'
  | 'subject.firstEvent'
  | 'subject.sawId'
  | 'subject.sawRetry'
  | 'subject.endpoint'
  | 'subject.cancelled'
  | 'subject.resumedMethod'
  | 'subject.resumedClosedBy'
  | 'subject.resumedSawRetry'
  | 'subject.responses'
  | 'subject.requests'
  | 'subject.badData'
  | 'subject.answered'
  | 'subject.closedBy'
  | 'subject.overdue';
  pagination: 
  | 'subject.method'
  | 'subject.pages'
  | 'subject.items'
  | 'subject.ended'
  | 'subject.repeated'
  | 'subject.scopes'
  | 'subject.changed'
  | 'subject.differs'
  | 'subject.callsSinceWalk'
  | 'subject.toldOfChange'
  | 'subject.heardSinceWalk'
  | 'subject.acrossConnections'
  | 'subject.acrossRequests'
  | 'subject.acrossClients'
  | 'subject.order'
  | 'subject.apart';
  serverRequest: 
  | 'subject.via'
  | 'subject.method'
  | 'subject.params'
  | 'subject.declared'
  | 'subject.outcome'
  | 'subject.answer'
  | 'subject.call'
  | 'subject.mode'
  | 'subject.modeOffered'
  | 'subject.fields'
  | 'subject.wording'
  | 'subject.url'
  | 'subject.elicitationIdReuse'
  | 'subject.action'
  | 'subject.contentFaults'
  | 'subject.tools'
  | 'subject.continues'
  | 'subject.loop';
  task: 
  | 'subject.from'
  | 'subject.method'
  | 'subject.request'
  | 'subject.taskSupport'
  | 'subject.hasProgressToken'
  | 'subject.taskId'
  | 'subject.observations'
  | 'subject.terminal'
  | 'subject.overInTime'
  | 'subject.afterTerminal'
  | 'subject.brokenTransitions'
  | 'subject.polling'
  | 'subject.removal'
  | 'subject.resultOutcome'
  | 'subject.resultReply'
  | 'subject.earlyResults'
  | 'subject.progress'
  | 'subject.longOver'
  | 'subject.input'
  | 'subject.updates'
  | 'subject.afterCancel'
  | 'subject.walks'
  | 'subject.plain';
  session: 
  | 'subject.transport'
  | 'subject.era'
  | 'subject.revision'
  | 'subject.requestedVersion'
  | 'subject.clientCapabilities'
  | 'subject.serverCapabilities'
  | 'subject.handshakeResult'
  | 'subject.statefulHandshake'
  | 'subject.hasSessionId'
  | 'subject.lost'
  | 'subject.uses'
  | 'subject.gaveCredential'
  | 'subject.madeTask'
  | 'subject.challenged'
  | 'subject.discoveredVersions'
  | 'subject.freshInitialize'
  | 'subject.handshakeDone'
  | 'subject.beforeInitialize'
  | 'subject.early'
  | 'subject.undeclaredUses'
  | 'subject.stdinClosed'
  | 'subject.exitOverdue'
  | 'subject.exit'
  | 'subject.eventIds'
  | 'subject.letterCase'
  | 'subject.heard'
  | 'subject.subscriptionsAtEnd';
  metadata: 
  | 'subject.document'
  | 'subject.host'
  | 'subject.presence'
  | 'subject.content'
  | 'subject.endpoints';
  authorization: 
  | 'subject.required'
  | 'subject.attempts'
  | 'subject.refused'
  | 'subject.oauthSigns'
  | 'subject.resource'
  | 'subject.issuers'
  | 'subject.ownHost';
  trace: 
  | 'subject.unechoed'
  | 'subject.echoes'
  | 'subject.fallback'
  | 'subject.unsupportedOutcomes'
  | 'subject.sessionIds'
  | 'subject.listening'
  | 'subject.taskIds'
  | 'subject.foreseeableTaskIds'
  | 'subject.repeatedTaskIds';
  group: 
  | 'subject.key'
  | 'subject.count'
  | 'subject.first'
  | 'subject.last'
  | 'subject.times'
  | 'subject.values';
  pair: 
  | 'subject.first'
  | 'subject.then'
  | 'subject.elapsedMs'
  | 'subject.between'
  | 'subject.ended';
}

export type Verdict = {
  [k: string]: unknown;
} & {
  /**
   * Rule id, for example ping/answer-empty-result.
   */
  rule: string;
  role: "server" | "client";
  title: string;
  requirements: string[];
  statement: string;
  area: string;
  /**
   * The extension that demands it, by identifier: it counts in its area alone, and changes neither compliance nor score.
   */
  extension?: string;
  level: "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY";
  /**
   * error counts against compliance, warning and info never do.
   */
  severity: "error" | "warning" | "info";
  /**
   * Why a MUST counts as a warning: stated in prose only, or contradicted elsewhere.
   */
  basis?: "prose" | "contested";
  /**
   * page#anchor of the clause in the judged revision.
   */
  ref: string;
  link: string | null;
  status: "fail" | "error" | "not-exercised" | "pass" | "not-applicable";
  message: string;
  expected: string | null;
  actual: string | null;
  fix: string | null;
  /**
   * The fix in terms of the SDK that the target is made with; only there where that is known.
   */
  sdkFix?: string;
  /**
   * What would decide it; of verdicts that were not exercised.
   */
  remedy?: string;
  advice: string[];
  judged: number;
  failed: number;
  /**
   * What proves the verdict, case by case: the first failing (or passing) one whole, and up to three more.
   */
  evidence: EvidenceCase[];
  /**
   * Cases of the same sort that are not listed.
   */
  moreCases: number;
  /**
   * Other rules that fail by the same cause; they are counted with this one.
   */
  also?: string[];
  /**
   * The rule that names the cause of this failure best; this one weighs nothing.
   */
  cause?: string;
  /**
   * The baseline knew of this failure.
   */
  known?: boolean;
  [k: string]: unknown;
};
export type Skipped = {
  what: string;
  why: string;
  /**
   * What would have it called.
   */
  allow?: string;
  [k: string]: unknown;
}[];
/**
 * Command lines of processes that the target left running behind it; they were ended.
 */
export type LeftBehind = string[];

/**
 * The result of one check. Within a version members may be added at any place, and none is moved or removed; version 1 stands in run-report-1.schema.json.
 */
export interface RunReport {
  format: "mcpc-run-report";
  version: 2;
  tool: {
    name: "mcpc";
    version: string;
    [k: string]: unknown;
  };
  target: Target;
  transport: "stdio" | "http" | "sse";
  /**
   * Revisions that the target showed to speak, newest first.
   */
  spoken?: {
    revision: string;
    era: "stateful" | "stateless";
    /**
     * Which answers showed it: a result of initialize or server/discover, or an error that lists what is supported.
     */
    evidence: {
      by: "initialize" | "server/discover" | "error";
      events: number[];
      [k: string]: unknown;
    }[];
    [k: string]: unknown;
  }[];
  /**
   * Revisions that the target was asked for and does not speak, newest first.
   */
  unspoken?: {
    revision: string;
    era: "stateful" | "stateless";
    /**
     * What was seen instead.
     */
    why: string;
    events: number[];
    [k: string]: unknown;
  }[];
  /**
   * Parts that the judged trace lacks, of a capture only: transport, exchanges, streams, timing, bytes, start, order, direction. Without transport the one above is a guess.
   */
  notRecorded?: string[];
  /**
   * Two scores compare only when the digests are equal.
   */
  ruleSet: {
    digest: string;
    rules: number;
    set?: string;
    /**
     * quick: only what one connection decides without waiting was asked.
     */
    profile?: "quick";
    [k: string]: unknown;
  };
  /**
   * Of a check of several revisions: the same in the traces of all its parts.
   */
  run?: string;
  /**
   * ISO 8601.
   */
  startedAt: string;
  durationMs: number;
  /**
   * Milliseconds from the start of the process (or the first request) to the answer of the handshake.
   */
  startUpMs?: number;
  /**
   * The run is complete, and compliant in every part.
   */
  compliant: boolean;
  /**
   * What each revision that was judged says of the run.
   *
   * @minItems 1
   */
  parts: [Part, ...Part[]];
  /**
   * The events that verdicts cite, in order: one table for all parts.
   */
  wire: WireEntry[];
  /**
   * Path of the trace file, or null.
   */
  trace: string | null;
  /**
   * Why the run ended early or the server broke down, or null.
   */
  incomplete: string | null;
  requests?: Requests;
  skipped: Skipped;
  calls?: Calls;
  leftBehind?: LeftBehind;
  /**
   * Where the time of the check went, if that was asked for (--timings). All times in milliseconds.
   */
  timings?: {
    wallMs: number;
    /**
     * CPU time of mcpc, all threads; that of the target is not counted.
     */
    cpuMs: number;
    cores: number;
    /**
     * Processes started.
     */
    starts: number;
    /**
     * In order; together they are the whole.
     */
    stages: {
      name: "loading" | "detecting" | "probing" | "closing" | "judging" | "reporting";
      wallMs: number;
      cpuMs: number;
    }[];
    /**
     * What judging took while probing went on.
     */
    judgedMs: number;
    connections: {
      session: string;
      /**
       * From its first event to its last one.
       */
      wallMs: number;
      messages: number;
      /**
       * Probes that were run on it.
       */
      probes: number;
      /**
       * The first few rules that asked for its probes.
       */
      rules: string[];
      /**
       * The first few steps (docs/rules.md) that were carried out on it.
       */
      steps: string[];
    }[];
    /**
     * Connections beyond those that are listed.
     */
    moreConnections?: number;
    /**
     * Steps that took longest.
     */
    steps: StepTime[];
    /**
     * Times in which nothing came or went on a connection, longest first.
     */
    idle: StepTime[];
  };
  [k: string]: unknown;
}
export interface Target {
  name: string;
  command?: string[];
  url?: string;
  serverInfo?: {
    name?: string;
    version?: string;
    title?: string;
    [k: string]: unknown;
  };
  capabilities?: string[];
  /**
   * The revision that it answered with, where that is not the one that it was to be held to.
   */
  speaks?: string;
  /**
   * SDK that the target is made with, where it was recognised, and by what.
   */
  sdk?: {
    id: string;
    name: string;
    by: string;
    version?: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface Part {
  /**
   * The revision that was judged, a date such as 2025-11-25.
   */
  revision: string;
  era: "stateful" | "stateless";
  /**
   * The run is complete, no verdict failed with severity error, and none has status error.
   */
  compliant: boolean;
  /**
   * Weighted share of passes among decided verdicts, 0 to 100, one decimal; null when nothing was decided.
   */
  score: number | null;
  /**
   * Band of the score; null without a score and for a run that is incomplete.
   */
  grade: string | null;
  counts: {
    fail: number;
    error: number;
    "not-exercised": number;
    pass: number;
    "not-applicable": number;
    [k: string]: unknown;
  };
  /**
   * Passed or failed.
   */
  decided: number;
  /**
   * All but not-applicable.
   */
  applicable: number;
  areas: {
    area: string;
    /**
     * Of an extension: its identifier. Its score is its own, and no part of that of the revision.
     */
    extension?: string;
    score: number | null;
    pass: number;
    fail: number;
    notExercised: number;
    notApplicable: number;
    error: number;
    [k: string]: unknown;
  }[];
  levels: {
    level: "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY";
    pass: number;
    fail: number;
    notExercised: number;
    notApplicable: number;
    error: number;
    [k: string]: unknown;
  }[];
  verdicts: Verdict[];
  /**
   * What the specification permits (level MAY) on this transport, and whether the target was seen to use it; never scored.
   */
  features?: Feature[];
  /**
   * Deprecated features that were seen in use; advice, never judged or scored. Absent where there are none.
   */
  deprecations?: {
    /**
     * A short name, for example logging.
     */
    feature: string;
    /**
     * Whose use it is.
     */
    role: "server" | "client";
    title: string;
    /**
     * The revision that deprecated it.
     */
    since: string;
    /**
     * What to do instead.
     */
    instead: string;
    /**
     * When it may be removed at the earliest, in words.
     */
    earliestRemoval: string;
    link: string;
    /**
     * The first events that show it; none where the transport does.
     */
    events: number[];
    [k: string]: unknown;
  }[];
  baseline?: {
    file: string;
    known: string[];
    fresh: string[];
    stale: string[];
    [k: string]: unknown;
  };
  /**
   * Where a run has several parts: the numbers that the events of this one have in the wire log; in its own trace they begin with 1. The members below are then what of the run belongs to this part.
   */
  events?: {
    first: number;
    last: number;
    [k: string]: unknown;
  };
  target?: Target;
  transport?: "stdio" | "http" | "sse";
  /**
   * ISO 8601.
   */
  startedAt?: string;
  durationMs?: number;
  /**
   * Milliseconds from the start of the process (or the first request) to the answer of the handshake.
   */
  startUpMs?: number;
  requests?: Requests;
  skipped?: Skipped;
  calls?: Calls;
  /**
   * Path of the trace file, or null.
   */
  trace?: string | null;
  /**
   * Why the run ended early or the server broke down, or null.
   */
  incomplete?: string | null;
  leftBehind?: LeftBehind;
  [k: string]: unknown;
}
export interface EvidenceCase {
  /**
   * What was judged, for example exchange tools/call.
   */
  subject: string;
  /**
   * Sequence numbers of trace events, in order: a request stands before its response.
   */
  events: number[];
  /**
   * Events of the case that are left out.
   */
  moreEvents?: number;
  /**
   * What was seen, in one sentence.
   */
  seen: string;
  /**
   * Of a failure: the event to blame.
   */
  event?: number;
  /**
   * The property in it that is wrong, where that is known.
   */
  member?: string;
  [k: string]: unknown;
}
export interface Feature {
  /**
   * Id of the requirement that permits it.
   */
  requirement: string;
  rule: string;
  role: "server" | "client";
  title: string;
  area: string;
  ref: string;
  link: string | null;
  status: "used" | "not-seen";
  /**
   * How many subjects showed it.
   */
  uses: number;
  /**
   * The first use; null where none was seen.
   */
  evidence: EvidenceCase | null;
  [k: string]: unknown;
}
/**
 * Requests without a deliberate fault, and those that the server broke down on instead of answering.
 */
export interface Requests {
  sent: number;
  unanswered: number;
  /**
   * An HTTP status or words, most frequent first.
   */
  causes: {
    cause: string;
    count: number;
    [k: string]: unknown;
  }[];
  /**
   * How often a process of the server ended by itself while it was asked nothing wrong.
   */
  ended: number;
  /**
   * The first of the requests without an answer, by their place in the trace.
   */
  events: number[];
  [k: string]: unknown;
}
/**
 * Which tools were called, and which were not.
 */
export interface Calls {
  called: {
    tool: string;
    times: number;
    /**
     * As JSON text, cut when it is long, those that were sent most first.
     */
    arguments: {
      value: string;
      times: number;
      [k: string]: unknown;
    }[];
    /**
     * Calls with arguments that are not told.
     */
    more?: number;
    [k: string]: unknown;
  }[];
  notCalled: {
    tool: string;
    why: string;
    /**
     * What would have it called.
     */
    allow?: string;
    [k: string]: unknown;
  }[];
  /**
   * Tools and calls beyond those that are told.
   */
  more?: number;
  [k: string]: unknown;
}
export interface WireEntry {
  seq: number;
  t: number;
  session: string;
  from: "client" | "server" | "harness";
  kind: string;
  label: string;
  body: string;
  deviation?: string;
  [k: string]: unknown;
}
export interface StepTime {
  session: string;
  /**
   * The step (docs/rules.md) that took most of the time; the stage where none did.
   */
  step: string;
  wallMs: number;
}
