/** The content security policies of the window, sent as headers: a meta element can be forgotten or outrun. */

/**
 * The screens. Nothing but what we built and serve ourselves. Styles may stand in the page because the component
 * library writes its theme into a style element; scripts may not.
 */
export const SCREEN_POLICY = policy({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' blob: data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'worker-src': "'self'",
  // A page that the screens write into a frame is theirs and needs no word here; nothing else is ever framed.
  'frame-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
})

/** Images and reports by id. A report is hostile input: shown as a page of its own it has no scripts and no origin. */
export const BYTES_POLICY = policy({
  'default-src': "'none'",
  'img-src': 'data:',
  'style-src': "'unsafe-inline'",
  'frame-ancestors': "'none'",
  sandbox: '',
})

/** Answers that are no page and no picture. */
export const NOTHING_POLICY = policy({ 'default-src': "'none'", 'frame-ancestors': "'none'" })

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')
}
