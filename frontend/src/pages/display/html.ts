/** Requests a page or a part of one. A browser's `Accept` header makes the server respond with HTML, also to errors. */
export function fetchHtml(url: string, request: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...request, headers: { Accept: 'text/html' } });
}

/** Parses the body of a response. Scripts in it do not run. */
export async function documentOf(response: Response): Promise<Document> {
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}
