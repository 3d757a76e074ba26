/** The page in place of screens that fail again and again: text and one link, no script, nothing that could fail. */
import { APP_HOST, APP_SCHEME, START_ADDRESS } from './app-scheme.ts'
import type { HostWords } from './words/host-words.ts'

export const RECOVERY_ADDRESS = `${APP_SCHEME}://${APP_HOST}/recovery`

/** Stricter than the screens' own: nothing is loaded at all. */
const RECOVERY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const STYLE = `
:root { color-scheme: light dark; font: 18px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem }
main { max-width: 36rem }
a { display: inline-block; min-height: 44px; line-height: 44px; padding: 0 1.5rem; border: 2px solid; border-radius: 6px; color: inherit; text-decoration: none; font-weight: 600 }
a:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
code { overflow-wrap: anywhere; user-select: all }
`

/** The page; `logFolder` is where a person finds what happened. Pure. */
export function recoveryPage({ language, life: texts }: HostWords, logFolder: string): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<title>Fundus Courier</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(texts.failedTitle)}</h1>
<p>${escapeHtml(texts.failedSafe)} ${escapeHtml(texts.failedBody)}</p>
<p><a href="${URL.parse(START_ADDRESS)?.pathname}" autofocus>${escapeHtml(texts.tryAgain)}</a></p>
<p>${escapeHtml(texts.failedLogs)} <code>${escapeHtml(logFolder)}</code></p>
</main>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Answers the recovery page where it is asked for; everything else is the handler's. */
export function withRecoveryPage(
  handler: (request: Request) => Promise<Response>,
  page: () => string,
): (request: Request) => Promise<Response> {
  return (request) => {
    if (request.method !== 'GET' || request.url !== RECOVERY_ADDRESS) return handler(request)
    return Promise.resolve(
      new Response(page(), {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': RECOVERY_POLICY,
          'X-Content-Type-Options': 'nosniff',
          'Referrer-Policy': 'no-referrer',
          'Cache-Control': 'no-store',
        },
      }),
    )
  }
}
