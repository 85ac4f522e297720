import { parseVisible } from '../../base/visible-text';
import { button, element } from './element';
import { setMessage, setState } from './view-state';

/** An error to show: an RFC 9457 problem of the server, extended by `where` and `next`, or a network error. */
export class Problem extends Error {
  constructor(
    readonly title: string,
    readonly detail: string | null,
    readonly where: string | null,
    readonly next: string | null,
    /** Whether a retry may succeed; false if the server rejected the content of the request. */
    readonly isTransient: boolean,
  ) {
    super(title);
  }

  /** Whether an upload was rejected because it is a text, which may be a log. */
  get isText(): boolean {
    return this.title === 'A text, not a memory snapshot';
  }

  /** Parses an error response; a body that is not a problem is described by its status. */
  static read(status: number, body: string): Problem {
    const isTransient = status >= 500 || status === 429;
    try {
      const problem = parseVisible(body) as Record<string, unknown>;
      const text = (name: string) => (typeof problem[name] === 'string' ? (problem[name] as string) : null);
      const title = text('title');
      if (title !== null) return new Problem(title, text('detail'), text('where'), text('next'), isTransient);
    } catch {
      // Not JSON, for example from a proxy: only the status is known.
    }
    const next = isTransient
      ? 'Try again. The server log has details.'
      : 'Reload the page. The snapshot may have been deleted.';
    return new Problem(`The server responded with status ${status}.`, null, null, next, isTransient);
  }

  static ofNetwork(): Problem {
    return new Problem('The server did not respond.', null, null, 'Check that it is running, then try again.', true);
  }

  static of(error: unknown): Problem {
    if (error instanceof Problem) return error;
    const next = 'Try again, or reload the page.';
    return new Problem('The response could not be read.', String(error), null, next, true);
  }
}

/** An element that shows a problem, with a retry button if it is transient. */
export function problemBox(problem: Problem, retry: () => void): HTMLElement {
  return element(
    'div',
    { class: 'problem', role: 'alert' },
    element('p', { class: 'title' }, problem.title),
    problem.detail === null ? null : element('p', {}, problem.detail),
    problem.where === null ? null : element('p', { class: 'where' }, problem.where),
    problem.next === null ? null : element('p', { class: 'next' }, problem.next),
    problem.isTransient ? button('Try again', 'Try again', retry) : null,
  );
}

/** Shows a problem above a view instead of its content; `retry` is called after the message is removed. */
export function showProblem(root: HTMLElement, container: HTMLElement, error: unknown, retry: () => void): void {
  setState(root, 'error');
  const box = problemBox(Problem.of(error), () => {
    setMessage(container, null);
    retry();
  });
  setMessage(container, box);
}
