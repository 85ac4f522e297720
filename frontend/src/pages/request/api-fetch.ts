import { parseVisible } from '../../base/visible-text';
import { Problem } from '../display/problem';

/** The JSON answer of the REST API to a GET request, to be shown: its strings are visible text. Throws Problem. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  return parseVisible(await (await fetchApi(url, 'application/json', signal)).text());
}

/** A successful response of the REST API to a GET request. Throws Problem. */
export async function fetchApi(url: string, accept: string, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { Accept: `${accept}, application/problem+json` }, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw Problem.ofNetwork();
  }
  if (!response.ok) throw Problem.read(response.status, await response.text());
  return response;
}
