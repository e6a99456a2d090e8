/**
 * A transport around another one, for what McpServer of the SDK answers otherwise than the specification wants it:
 * params that do not fit, cursors that no list gave out, unknown tools and unknown resources.
 */
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ClientRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** Methods whose params the SDK checks by a schema that `ClientRequestSchema` has, too. */
const methods = new Set([
  'completion/complete',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'tools/call',
  'tools/list',
]);

/** A revision with batches, which the SDK does not take on stdio: its clients are offered the newest one. */
const unsupported = '2025-03-26';
const offered = '2025-11-25';

export class Strict implements Transport {
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly inner: Transport;
  private readonly tools: () => ReadonlySet<string>;
  private readonly reads = new Set<RequestId>();

  /** @param tools the names of the tools that there are */
  constructor(inner: Transport, tools: () => ReadonlySet<string>) {
    this.inner = inner;
    this.tools = tools;
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  async start(): Promise<void> {
    const closed = this.inner.onclose;
    this.inner.onclose = () => {
      closed?.();
      this.onclose?.();
    };
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onmessage = (message, extra) => {
      if (!isJSONRPCRequest(message)) return this.onmessage?.(message, extra);
      const fault = this.faultOf(message);
      if (fault !== undefined) return this.refuse(message.id, fault);
      if (message.method === 'resources/read') this.reads.add(message.id);
      this.onmessage?.(withOffered(message), extra);
    };
    await this.inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (
      'id' in message &&
      this.reads.delete(message.id as RequestId) &&
      'error' in message &&
      message.error.code === -32602
    )
      return this.inner.send({ ...message, error: { ...message.error, code: -32002 } }, options);
    return this.inner.send(message, options);
  }

  async close(): Promise<void> {
    await this.inner.close();
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(version);
  }

  /** Why the params of a request are refused. */
  private faultOf({ method, params }: JSONRPCRequest): string | undefined {
    if (!methods.has(method)) return undefined;
    const { success } = ClientRequestSchema.safeParse({ method, ...(params === undefined ? {} : { params }) });
    if (!success) return `The params of ${method} do not fit its schema.`;
    if (method.endsWith('/list') && params?.['cursor'] !== undefined) return 'This server gave out no such cursor.';
    if (method === 'tools/call' && !this.tools().has(String(params?.['name'])))
      return `There is no tool ${JSON.stringify(params?.['name'])}.`;
    return undefined;
  }

  private refuse(id: RequestId, message: string): void {
    void this.inner
      .send({ jsonrpc: '2.0', id, error: { code: -32602, message } }, { relatedRequestId: id })
      .catch((error: unknown) => this.onerror?.(error as Error));
  }
}

function withOffered(message: JSONRPCRequest): JSONRPCRequest {
  if (message.method !== 'initialize' || message.params?.['protocolVersion'] !== unsupported) return message;
  return { ...message, params: { ...message.params, protocolVersion: offered } };
}
