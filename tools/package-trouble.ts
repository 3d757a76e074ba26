/** What stood in the way of a package, in a sentence without its subject. Pure. */
import { reasonIn } from './electron-runtime.ts'

export type PackageTrouble = {
  /** `runtime`: Electron itself is missing, and with it every package. */
  readonly kind: 'runtime' | 'tool' | 'other'
  readonly because: string
}

const NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CERT_\w+|SELF_SIGNED\w*|UNABLE_TO_\w+)\b|Response code [45]\d\d|status code [45]\d\d|RequestError/

/** electron-builder says what it wanted in the words around the network's own. */
export function packageTroubleOf(error: unknown): PackageTrouble {
  const said = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)
  if (!NETWORK.test(said)) return { kind: 'other', because: firstLine(said) }
  const isTool =
    /electron-builder-binaries|nsis|appimage|fpm|winCodeSign|win-codesign|wine|dmg-builder/i.test(said)
  const mirrors = isTool ? 'ELECTRON_BUILDER_BINARIES_MIRROR' : 'ELECTRON_MIRROR'
  const what = isTool ? 'a tool of electron-builder' : 'Electron’s runtime'
  return {
    kind: isTool ? 'tool' : 'runtime',
    because: `${what} could not be downloaded from github.com (${reasonIn(said)}); ${mirrors} names another place`,
  }
}

function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? 'no reason was given'
  )
}
