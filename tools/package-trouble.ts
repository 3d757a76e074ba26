/** What stood in the way of a package, in a sentence without its subject. Pure. */
import { reasonIn } from './electron-runtime.ts'

export type PackageTrouble = {
  /** `runtime`: Electron itself is missing, and with it every package. */
  readonly kind: 'runtime' | 'tool' | 'other'
  readonly because: string
}

const NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CERT_\w+|SELF_SIGNED\w*|UNABLE_TO_\w+)\b|Response code [45]\d\d|status code [45]\d\d|RequestError/

/** `hasRuntime`: Electron itself was unpacked already, so what is missing is a tool that makes the installer. */
export function packageTroubleOf(error: unknown, hasRuntime: boolean): PackageTrouble {
  const output = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)
  if (!NETWORK.test(output)) return { kind: 'other', because: firstLine(output) }
  const mirror = hasRuntime ? 'ELECTRON_BUILDER_BINARIES_MIRROR' : 'ELECTRON_MIRROR'
  const what = hasRuntime ? 'the tool that makes it' : 'Electron’s runtime'
  return {
    kind: hasRuntime ? 'tool' : 'runtime',
    because: `${what} could not be downloaded from github.com (${reasonIn(output)}); ${mirror} names another place`,
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
