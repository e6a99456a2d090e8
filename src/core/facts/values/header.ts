/** Reading the headers of an event. */
import type { HeaderMap } from '../../model/trace.ts';

/** First value of a header, or undefined; names are lower case. */
export function header(headers: HeaderMap | undefined, name: string): string | undefined {
  const value = headers?.[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Media type of a message, lower case, without parameters. */
export function mediaType(headers: HeaderMap | undefined): string | undefined {
  return header(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
}
