/**
 * Fetches a part of the screens until it is there. It comes from the station, which may be away just now: React keeps
 * a refusal for good, and the screen would stay broken after the station is back.
 */
import { SECOND } from '../../src-shared/durations.ts'

const AGAIN_MS = SECOND
/** The words of Chromium, Firefox and Safari; the last ones are of the bundler. There is no other sign. */
const DID_NOT_COME = /dynamically imported module|importing a module|unable to preload css/i

export async function patiently<Module>(
  fetchModule: () => Promise<Module>,
  wait: (milliseconds: number) => Promise<void> = pause,
): Promise<Module> {
  for (;;) {
    try {
      return await fetchModule()
    } catch (error) {
      if (!(error instanceof Error && DID_NOT_COME.test(error.message))) throw error
      await wait(AGAIN_MS)
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
