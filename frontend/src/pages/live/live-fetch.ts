/** Opens a connection for live events. Uses `fetch`, because EventSource does not give access to an error response. */
export function openEvents(url: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { headers: { Accept: 'text/event-stream, application/problem+json' }, signal });
}
