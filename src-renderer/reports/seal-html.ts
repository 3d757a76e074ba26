/** Inline styles and inline pictures only: a report that wants more shows without it. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"

/**
 * Puts a policy in front of a page, where nothing that the page says can come before it. The frame's sandbox
 * already forbids scripts and forms; the policy takes the network away.
 */
export function withContentPolicy(html: string): string {
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">${html}`
}
