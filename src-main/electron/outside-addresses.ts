/**
 * The one way from the window into the world: a report that is an address, which a person wants to see in the
 * browser. `openExternal` starts programs, so it gets nothing but an https address that the station itself has just
 * shown as a report.
 */
import { calls } from '../../src-shared/contract.ts'
import type { Result } from '../../src-shared/result.ts'
import type { Logger } from '../station/ports.ts'

type CallAnswerer = (name: string, input: unknown) => Promise<Result<unknown>>

/** More than this are not looked at one after the other; the oldest is forgotten and can be shown again. */
const MAX_REMEMBERED = 100

/** The address as a browser may get it: over https, without a sign-in in it; null for everything else. */
export function safeHttpsAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url.href
}

export type OutsideLinks = {
  /** Answers as before, and remembers which addresses were shown. */
  remembering(answer: CallAnswerer): CallAnswerer
  /** A page wants this address opened: done where it was shown, else refused and told without the address. */
  openIfShown(address: string): void
}

export function createOutsideLinks(options: {
  readonly openExternal: (address: string) => Promise<void>
  readonly logger: Logger
}): OutsideLinks {
  const shown = new Set<string>()
  const remember = (address: string): void => {
    shown.delete(address)
    shown.add(address)
    const [oldest] = shown
    if (shown.size > MAX_REMEMBERED && oldest !== undefined) shown.delete(oldest)
  }
  return {
    remembering: (answer) => async (name, input) => {
      const result = await answer(name, input)
      if (name === 'reports.get' && result.ok) for (const address of linksIn(result.value)) remember(address)
      return result
    },
    openIfShown(address) {
      const allowed = safeHttpsAddress(address)
      if (allowed === null || !shown.has(allowed))
        return options.logger.warn('a page wanted an address that was not shown; it was not opened')
      options.openExternal(allowed).catch((error: unknown) =>
        options.logger.warn('the system could not open an address', {
          error: error instanceof Error ? error.name : 'unknown',
        }),
      )
    },
  }
}

function linksIn(value: unknown): string[] {
  const report = calls['reports.get'].output.safeParse(value).data
  return (report?.versions ?? []).flatMap(({ kind, text }) => {
    const address = kind === 'link' && text !== undefined ? safeHttpsAddress(text) : null
    return address === null ? [] : [address]
  })
}
