import type { BytesKind, CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { fail, type Result } from '../../src-shared/result.ts'
import { readAnswer, readStreamMessage } from './read-answer.ts'
import { BytesUnavailable, type StationLink } from './station-link.ts'
import { t } from '../words/t.ts'

/** What the preload of the desktop host exposes as `window.fundusCourier`. Nothing that comes through it is trusted. */
export type DesktopBridge = {
  call(name: string, input: unknown): Promise<unknown>
  onEvent(listener: (event: unknown) => void): () => void
  bytesUrl(kind: string, id: string): string
}

declare global {
  interface Window {
    readonly fundusCourier?: DesktopBridge
  }
}

/** The link inside the desktop window. It ends with the window, so it is open as long as anybody can see it. */
export function openLinkOverIpc(bridge: DesktopBridge): StationLink {
  const unsubscribes = new Set<() => void>()
  const readBytes = async (kind: BytesKind, id: string): Promise<Blob> => {
    try {
      const answer = await fetch(bridge.bytesUrl(kind, id))
      if (!answer.ok) throw new BytesUnavailable(`${kind}: status ${answer.status}`)
      return await answer.blob()
    } catch (error) {
      if (error instanceof BytesUnavailable) throw error
      throw new BytesUnavailable(`${kind}: no answer`, { cause: error })
    }
  }
  return {
    async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>> {
      try {
        return readAnswer(name, await bridge.call(name, input))
      } catch (error) {
        // A handler that threw arrives as an Error with Electron's own words, which are not for people.
        if (error instanceof Error) return fail(failureOf('internal', { message: t('link:noAnswer') }))
        throw error
      }
    },
    onArrival(listener) {
      const stop = bridge.onEvent((value) => {
        const message = readStreamMessage(value)
        if (message.kind !== 'hello') listener(message)
      })
      unsubscribes.add(stop)
      return () => {
        unsubscribes.delete(stop)
        stop()
      }
    },
    onConnection(listener) {
      listener({ kind: 'open', revision: null })
      return () => undefined
    },
    readBytes,
    // The desktop host serves bytes to this window alone: the address itself can be drawn from.
    loanUrl: (kind, id) => Promise.resolve({ url: bridge.bytesUrl(kind, id), release: () => undefined }),
    close() {
      for (const stop of unsubscribes) stop()
      unsubscribes.clear()
    },
  }
}
