/**
 * The one way from the window into the world: a report that is an address, which a person wants to see in the
 * browser. `openExternal` starts programs, so it gets nothing but an https address that the station itself has just
 * shown as a report.
 */
import { calls } from '../../src-shared/contract.ts'
import type { Result } from '../../src-shared/result.ts'
import type { Logger } from '../station/ports.ts'

type Answer = (name: string, input: unknown) => Promise<Result<unknown>>

/** More than this are not looked at one after the other; the oldest is forgotten and can be shown again. */
const MOST_REMEMBERED = 100

/** The address as a browser may get it: over https, without a sign-in in it; null for everything else. */
export function outsideAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url.href
}

export type OutsideAddresses = {
  /** Answers as before, and remembers which addresses were shown. */
  noting(answer: Answer): Answer
  /** A page wants this address opened: done where it was shown, else refused and told without the address. */
  wish(address: string): void
}

export function openOutsideAddresses(given: {
  readonly openExternal: (address: string) => Promise<void>
  readonly logger: Logger
}): OutsideAddresses {
  const shown = new Set<string>()
  const remember = (address: string): void => {
    shown.delete(address)
    shown.add(address)
    const [oldest] = shown
    if (shown.size > MOST_REMEMBERED && oldest !== undefined) shown.delete(oldest)
  }
  return {
    noting: (answer) => async (name, input) => {
      const result = await answer(name, input)
      if (name === 'reports.get' && result.ok) for (const address of linksIn(result.value)) remember(address)
      return result
    },
    wish(address) {
      const wanted = outsideAddress(address)
      if (wanted === null || !shown.has(wanted))
        return given.logger.warn('a page wanted an address that was not shown; it was not opened')
      given.openExternal(wanted).catch((error: unknown) =>
        given.logger.warn('the system could not open an address', {
          error: error instanceof Error ? error.name : 'unknown',
        }),
      )
    },
  }
}

function linksIn(value: unknown): string[] {
  const report = calls['reports.get'].output.safeParse(value).data
  return (report?.versions ?? []).flatMap(({ kind, text }) => {
    const address = kind === 'link' && text !== undefined ? outsideAddress(text) : null
    return address === null ? [] : [address]
  })
}
