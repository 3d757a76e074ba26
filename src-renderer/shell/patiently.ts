/**
 * Fetches a part of the screens once the station that serves it can be reached. Browsers keep a refusal for as long as
 * the page lives, so a part that was asked for while the station was away would never come.
 */
import { SECOND } from '../../src-shared/durations.ts'

const RETRY_MS = SECOND

export async function retryUntilReachable<Module>(
  fetchModule: () => Promise<Module>,
  isReachable: () => Promise<boolean> = isPageReachable,
  wait: (milliseconds: number) => Promise<void> = pause,
): Promise<Module> {
  while (!(await isReachable())) await wait(RETRY_MS)
  return fetchModule()
}

async function isPageReachable(): Promise<boolean> {
  // In the desktop window the parts lie in the program.
  if (window.fundusCourier) return true
  try {
    const signal = AbortSignal.timeout(RETRY_MS)
    return (await fetch(`${window.location.origin}/health`, { cache: 'no-store', signal })).ok
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return false
    throw error
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
