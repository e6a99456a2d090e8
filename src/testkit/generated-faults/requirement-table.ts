/**
 * Which requirements a message breaks that does not fit its schema, by the place where it does not. Written from the
 * schemas of the specification and the sentences of rules/spec, whatever the rules look at. A place is `Type.member`,
 * an item of a list `Type.member[]`, or `Type` for all members that have no line of their own; `method>` or `area>`
 * before it narrows it. Of the requirements of a line those count that the revision has.
 */
const content = [
  'TextContent',
  'ImageContent',
  'AudioContent',
  'ResourceLink',
  'Resource',
  'EmbeddedResource',
  'ContentBlock',
  'ResourceContents',
  'ResourceItem',
  'TextResourceContents',
  'BlobResourceContents',
  'Annotations',
  'Annotated',
];

/** The content blocks of an area. */
function contentIn(area: string, requirements: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(content.map((type) => [`${area}>${type}`, requirements]));
}

const image = ['tools.call.content-base64', 'tools.call.content-types'];
const embedded = ['prompts.content.embedded-resource', 'prompts.get.message-schema'];
const lists = {
  'tools/list': 'tools-list',
  'prompts/list': 'prompts-list',
  'resources/list': 'resources-list',
  'resources/templates/list': 'templates-list',
  'resources/read': 'resources-read',
  'server/discover': 'discover',
};
const elicitedProperties = ['PrimitiveSchemaDefinition', 'NumberSchema', 'BooleanSchema'];
const elicitedEnums = [
  'EnumSchema',
  'UntitledSingleSelectEnumSchema',
  'TitledSingleSelectEnumSchema',
  'UntitledMultiSelectEnumSchema',
  'TitledMultiSelectEnumSchema',
  'LegacyTitledEnumSchema',
  'SingleSelectEnumSchema',
  'MultiSelectEnumSchema',
];

export const requirementTable: Readonly<Record<string, readonly string[]>> = {
  // Every result
  'Result._meta': ['meta.value.object-type', 'meta.server-info.inclusion'],
  'NotificationParams._meta': ['meta.value.object-type', 'subscriptions.identifier.presence'],
  'RequestParams._meta': ['meta.value.object-type', 'progress.token.type'],
  ResultMetaObject: ['meta.server-info.inclusion'],
  'Result.resultType': ['jsonrpc.result.type-member', 'jsonrpc.result.type-value-set'],
  'PaginatedResult.nextCursor': ['pagination.cursor.next-type'],
  ...Object.fromEntries(
    Object.entries(lists).flatMap(([method, list]) => [
      [
        `${method}>CacheableResult.ttlMs`,
        [`caching.hints.${list}`, 'caching.ttl.integer', 'caching.ttl.non-negativity'],
      ],
      [`${method}>CacheableResult.cacheScope`, [`caching.hints.${list}`, 'caching.scope.value']],
    ]),
  ),
  Implementation: ['meta.implementation.name-and-version'],
  Icon: ['icons.schema.members'],
  'Icons.icons': ['icons.schema.members'],
  ...Object.fromEntries(
    ['Icon', 'Icons.icons'].flatMap((type) => [
      [`tools/call>${type}`, ['icons.schema.members', 'tools.call.content-types']],
      [`prompts/get>${type}`, ['icons.schema.members', 'prompts.get.message-schema']],
    ]),
  ),
  Annotations: ['resources.annotations.schema', 'resources.list.item-schema', 'resources.templates.item-schema'],
  'Annotations.lastModified': [
    'resources.annotations.schema',
    'resources.annotations.last-modified',
    'resources.list.item-schema',
    'resources.templates.item-schema',
  ],
  'Annotated.annotations': [
    'resources.annotations.schema',
    'resources.list.item-schema',
    'resources.templates.item-schema',
  ],

  // Handshake and discovery
  InitializeResult: ['lifecycle.initialization.server-result'],
  'InitializeResult.instructions': ['lifecycle.initialization.instructions-type'],
  'InitializeResult.capabilities': ['lifecycle.initialization.server-result', 'capabilities.declaration.schema'],
  DiscoverResult: ['discover.result.members'],
  'DiscoverResult.capabilities': ['discover.result.members', 'capabilities.declaration.schema'],
  'DiscoverResult.supportedVersions': ['discover.result.members', 'discover.result.supported-versions'],
  'DiscoverResult.supportedVersions[]': ['discover.result.supported-versions'],
  'DiscoverResult.instructions': ['discover.result.instructions-type'],
  ServerCapabilities: ['capabilities.declaration.schema'],
  'ServerCapabilities.extensions[]': ['extensions.settings.object-type'],

  // Tools
  ListToolsResult: ['tools.list.result-schema'],
  'ListToolsResult.tools[]': ['tools.list.item-schema'],
  Tool: ['tools.list.item-schema'],
  'Tool.inputSchema': ['tools.input-schema.object-root', 'tools.list.item-schema'],
  'Tool.outputSchema': ['tools.output-schema.object-root', 'tools.output-schema.any-root', 'tools.list.item-schema'],
  'Tool.annotations': ['tools.annotations.schema', 'tools.list.item-schema'],
  'Tool.execution': ['tools.execution.task-support-values', 'tools.list.item-schema'],
  'Tool.icons': ['icons.schema.members'],
  ToolAnnotations: ['tools.annotations.schema'],
  ToolExecution: ['tools.execution.task-support-values'],
  CallToolResult: ['tools.call.result-schema'],
  'CallToolResult.content[]': ['tools.call.content-types'],
  'CallToolResult.structuredContent': ['tools.result.structured-object'],
  ...contentIn('tools', ['tools.call.content-types']),
  'tools>ImageContent.data': image,
  'tools>ImageContent.mimeType': image,
  'tools>AudioContent.data': image,
  'tools>AudioContent.mimeType': image,
  'tools>Annotations': ['resources.annotations.schema', 'tools.call.content-types'],
  'tools>Annotations.lastModified': [
    'resources.annotations.schema',
    'resources.annotations.last-modified',
    'tools.call.content-types',
  ],
  'tools>Annotated.annotations': ['resources.annotations.schema', 'tools.call.content-types'],

  // Prompts
  ListPromptsResult: ['prompts.list.result-schema'],
  'ListPromptsResult.prompts[]': ['prompts.list.item-schema'],
  Prompt: ['prompts.list.item-schema'],
  PromptArgument: ['prompts.list.item-schema'],
  GetPromptResult: ['prompts.get.result-schema'],
  'GetPromptResult.messages[]': ['prompts.get.message-schema'],
  PromptMessage: ['prompts.get.message-schema'],
  ...contentIn('prompts', ['prompts.get.message-schema']),
  'prompts>ImageContent': ['prompts.content.image', 'prompts.get.message-schema'],
  'prompts>AudioContent': ['prompts.content.audio', 'prompts.get.message-schema'],
  'prompts>EmbeddedResource': embedded,
  'prompts>ResourceItem': embedded,
  'prompts>ResourceContents': embedded,
  'prompts>TextResourceContents': embedded,
  'prompts>BlobResourceContents': embedded,
  'prompts>Annotations': ['resources.annotations.schema', 'prompts.get.message-schema'],
  'prompts>Annotations.lastModified': [
    'resources.annotations.schema',
    'resources.annotations.last-modified',
    'prompts.get.message-schema',
  ],
  'prompts>Annotated.annotations': ['resources.annotations.schema', 'prompts.get.message-schema'],

  // Resources
  ListResourcesResult: ['resources.list.result-schema'],
  'ListResourcesResult.resources[]': ['resources.list.item-schema'],
  Resource: ['resources.list.item-schema'],
  'Resource.annotations': ['resources.annotations.schema', 'resources.list.item-schema'],
  ListResourceTemplatesResult: ['resources.templates.result-schema'],
  'ListResourceTemplatesResult.resourceTemplates[]': ['resources.templates.item-schema'],
  ResourceTemplate: ['resources.templates.item-schema'],
  'ResourceTemplate.annotations': ['resources.annotations.schema', 'resources.templates.item-schema'],
  ReadResourceResult: ['resources.read.result-schema'],
  'ReadResourceResult.contents[]': ['resources.read.content-schema'],
  ResourceContents: ['resources.read.content-schema'],
  ResourceItem: ['resources.read.content-schema'],
  TextResourceContents: ['resources.read.content-schema'],
  BlobResourceContents: ['resources.read.content-schema'],
  'BlobResourceContents.blob': ['resources.read.content-schema', 'resources.security.binary-encoding'],
  ResourceUpdatedNotificationParams: ['resources.updated.schema', 'subscriptions.event.schemas'],

  // Utilities
  CompleteResult: ['completion.result.schema'],
  Completion: ['completion.result.schema'],
  'Completion.values': ['completion.result.schema', 'completion.result.value-maximum'],
  LoggingMessageNotificationParams: ['logging.message.schema'],
  ProgressNotificationParams: ['progress.notification.schema'],
  'ProgressNotificationParams.progressToken': ['progress.notification.schema', 'progress.token.active-reference'],
  CancelledNotificationParams: ['cancellation.notification.request-id'],
  'CancelledNotificationParams.reason': ['cancellation.notification.reason-type'],

  // What a server asks a client
  CreateMessageRequestParams: ['sampling.request.schema'],
  'CreateMessageRequestParams.messages[]': ['sampling.messages.schema', 'sampling.request.schema'],
  'CreateMessageRequestParams.toolChoice': ['sampling.tool-choice.schema', 'sampling.request.schema'],
  ModelPreferences: ['sampling.request.preference-range', 'sampling.request.schema'],
  ModelHint: ['sampling.request.schema'],
  ToolChoice: ['sampling.tool-choice.schema', 'sampling.request.schema'],
  SamplingMessage: ['sampling.messages.schema', 'sampling.request.schema'],
  ToolUseContent: ['sampling.tool-use.schema', 'sampling.messages.schema', 'sampling.request.schema'],
  ToolResultContent: ['sampling.tool-result.schema', 'sampling.messages.schema', 'sampling.request.schema'],
  ...contentIn('sampling', ['sampling.messages.schema', 'sampling.request.schema']),
  'sampling>Annotations.lastModified': ['sampling.messages.schema', 'sampling.request.schema'],
  ...Object.fromEntries(
    [
      'Tool',
      'ToolAnnotations',
      'ToolExecution',
      'Tool.inputSchema',
      'Tool.outputSchema',
      'Tool.annotations',
      'Tool.execution',
      'Tool.icons',
    ].map((type) => [`sampling>${type}`, ['sampling.request.schema']]),
  ),
  // Of tools, and of links within messages.
  ...Object.fromEntries(
    ['Icon', 'Icons.icons'].map((type) => [
      `sampling>${type}`,
      ['sampling.request.schema', 'sampling.messages.schema'],
    ]),
  ),
  'TaskAugmentedRequestParams.task': ['tasks.schema.metadata'],
  TaskMetadata: ['tasks.schema.metadata'],
  ElicitRequestFormParams: ['elicitation.form.params'],
  'ElicitRequestFormParams.message': ['elicitation.request.message'],
  'ElicitRequestFormParams.requestedSchema': ['elicitation.form.params', 'elicitation.form.flat-schema'],
  ElicitRequestParams: ['elicitation.form.params'],
  'ElicitRequestParams.message': ['elicitation.request.message'],
  'ElicitRequestParams.requestedSchema': ['elicitation.form.params', 'elicitation.form.flat-schema'],
  ElicitRequestURLParams: ['elicitation.url.params'],
  'ElicitRequestURLParams.message': ['elicitation.request.message', 'elicitation.url.params'],
  'ElicitRequestURLParams.url': ['elicitation.url.params', 'elicitation.url.validity'],
  StringSchema: ['elicitation.form.flat-schema'],
  'StringSchema.format': ['elicitation.form.string-formats', 'elicitation.form.flat-schema'],
  ...Object.fromEntries(elicitedProperties.map((type) => [type, ['elicitation.form.flat-schema']])),
  ...Object.fromEntries(
    elicitedEnums.map((type) => [type, ['elicitation.form.enum-variants', 'elicitation.form.flat-schema']]),
  ),
  ElicitationCompleteNotificationParams: ['elicitation.complete.identifier'],
  ListRootsRequest: ['roots.list.request-schema', 'mrtr.result.request-kinds'],

  // Tasks
  Task: ['tasks.schema.task', 'tasks.schema.list-result'],
  'Task.taskId': ['tasks.schema.task', 'tasks.schema.list-result', 'tasks.id.type'],
  'Task.createdAt': ['tasks.schema.task', 'tasks.ttl.created-at'],
  'Task.lastUpdatedAt': ['tasks.schema.task', 'tasks.ttl.last-updated-at'],
  'Task.ttl': ['tasks.schema.task', 'tasks.ttl.effective-value'],
  CreateTaskResult: ['tasks.schema.create-result'],
  GetTaskResult: ['tasks.schema.get-and-cancel-result', 'tasks.schema.task'],
  CancelTaskResult: ['tasks.schema.get-and-cancel-result', 'tasks.schema.task'],
  ListTasksResult: ['tasks.schema.list-result'],
  'ListTasksResult.tasks[]': ['tasks.schema.list-result', 'tasks.schema.task'],
  TaskStatusNotificationParams: ['tasks.schema.status-notification', 'tasks.schema.task'],

  GetTaskRequestParams: ['tasks.schema.requests'],
  GetTaskPayloadRequestParams: ['tasks.schema.requests'],
  CancelTaskRequestParams: ['tasks.schema.requests'],

  // Subscriptions and several round trips
  SubscriptionsListenResult: ['subscriptions.listen.result-schema'],
  SubscriptionsListenResultMetaObject: ['subscriptions.listen.result-schema'],
  SubscriptionsAcknowledgedNotificationParams: ['subscriptions.event.schemas'],
  SubscriptionFilter: ['subscriptions.event.schemas'],
  NotificationMetaObject: ['subscriptions.identifier.value'],
  InputRequiredResult: ['mrtr.result.schema'],
  'InputRequiredResult.resultType': [
    'jsonrpc.result.type-member',
    'jsonrpc.result.type-value-set',
    'mrtr.result.schema',
  ],
  InputRequests: ['mrtr.result.request-kinds'],
};
