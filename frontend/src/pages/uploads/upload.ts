import { Problem } from '../display/problem';

/** Progress of an upload. */
export type UploadStep =
  { readonly kind: 'sending'; readonly sentBytes: number; readonly totalBytes: number } | { readonly kind: 'storing' };

export interface UploadResult {
  readonly id: string;
  /** The same file was stored before; its name and tags are unchanged. */
  readonly isDuplicate: boolean;
}

/**
 * Uploads one file as a raw request body. Uses XMLHttpRequest, because fetch does not report upload progress. Rejects with
 * a Problem, or with an AbortError if `signal` is aborted.
 */
export function upload(
  url: string,
  file: File,
  onStep: (step: UploadStep) => void,
  signal: AbortSignal,
): Promise<UploadResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('Accept', 'application/json, application/problem+json');
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = (event) =>
      onStep({
        kind: 'sending',
        sentBytes: event.loaded,
        totalBytes: event.lengthComputable ? event.total : file.size,
      });
    request.upload.onload = () => onStep({ kind: 'storing' });
    request.onload = () => {
      const id = request.status < 300 ? idOf(request) : null;
      if (id !== null) resolve({ id, isDuplicate: request.status === 200 });
      else reject(Problem.read(request.status, request.responseText));
    };
    request.onerror = () => reject(Problem.ofNetwork());
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function idOf(request: XMLHttpRequest): string | null {
  const location = request.getResponseHeader('Location');
  if (location !== null) return location.slice(location.lastIndexOf('/') + 1);
  try {
    const { id } = JSON.parse(request.responseText) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
