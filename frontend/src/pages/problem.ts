import { button, element } from './element';

/** A refusal in the server's words (RFC 9457 with `where` and `next`), or the same said about the network. */
export class Problem extends Error {
  constructor(
    readonly title: string,
    readonly detail: string | null,
    readonly where: string | null,
    readonly next: string | null,
    /** Whether the same request may succeed later: not when the server refused its content. */
    readonly mayPass: boolean,
  ) {
    super(title);
  }

  /** Reads a body that should be a problem; anything else is told by its status. */
  static read(status: number, body: string): Problem {
    const mayPass = status >= 500 || status === 429;
    try {
      const told = JSON.parse(body) as Record<string, unknown>;
      const text = (name: string) => (typeof told[name] === 'string' ? (told[name] as string) : null);
      const title = text('title');
      if (title !== null) return new Problem(title, text('detail'), text('where'), text('next'), mayPass);
    } catch {
      // Not JSON: a proxy or a crash answered. The status is all that is known.
    }
    const next = mayPass
      ? 'Try again; the server log says more.'
      : 'Reload the page; the snapshot may have been deleted.';
    return new Problem(`The server answered with status ${status}.`, null, null, next, mayPass);
  }

  static ofNetwork(): Problem {
    return new Problem('The server did not answer.', null, null, 'Check that it is running, then try again.', true);
  }

  static of(error: unknown): Problem {
    if (error instanceof Problem) return error;
    const next = 'Try again, or reload the page.';
    return new Problem('The answer could not be read.', String(error), null, next, true);
  }
}

/** The problem on the page: what, where, what next, and a button when trying again makes sense. */
export function problemBox(problem: Problem, retry: () => void): HTMLElement {
  return element(
    'div',
    { class: 'problem', role: 'alert' },
    element('p', { class: 'title' }, problem.title),
    problem.detail === null ? null : element('p', {}, problem.detail),
    problem.where === null ? null : element('p', { class: 'where' }, problem.where),
    problem.next === null ? null : element('p', { class: 'next' }, problem.next),
    problem.mayPass ? button('Try again', 'Try again', retry) : null,
  );
}
