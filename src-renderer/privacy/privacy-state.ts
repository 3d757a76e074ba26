/** Who may read names: what a person wishes, and when somebody last touched the screens. One for the whole window. */
import { createStore } from 'zustand/vanilla'
import { nameVisibility, nextCheckMs, type NameVisibility, type Presence } from './names-shown.ts'

const KEY = 'fundus-courier.names'

export type PrivacyClock = {
  readonly now: () => number
  /** Answers how to call it off. */
  readonly after: (ms: number, run: () => void) => () => void
}

const windowClock: PrivacyClock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

export type Privacy = {
  readonly shown: () => NameVisibility
  readonly onChange: (listener: () => void) => () => void
  /** Somebody is there. */
  readonly touch: () => void
  readonly wish: (wish: Presence['wish']) => void
  readonly hideAfter: (ms: number | null) => void
}

/** Follows the time by one timer, however often somebody moves the pointer. */
export function createPrivacy(
  clock: PrivacyClock = windowClock,
  savedIn: Pick<Storage, 'getItem' | 'setItem'> | null = null,
): Privacy {
  let presence: Presence = {
    wish: savedIn?.getItem(KEY) === 'hide' ? 'hide' : 'show',
    lastInputAt: clock.now(),
    hideAfterMs: null,
  }
  const store = createStore<{ readonly shown: NameVisibility }>(() => ({
    shown: nameVisibility(presence, clock.now()),
  }))
  let callOff: (() => void) | null = null

  const recheck = (): void => {
    callOff?.()
    const now = clock.now()
    const shown = nameVisibility(presence, now)
    if (shown !== store.getState().shown) store.setState({ shown })
    const next = nextCheckMs(presence, now)
    callOff = next === null ? null : clock.after(next, recheck)
  }

  return {
    shown: () => store.getState().shown,
    onChange: (listener) => store.subscribe(listener),
    touch() {
      presence = { ...presence, lastInputAt: clock.now() }
      // While names are in sight the timer finds out by itself how long nobody was there.
      if (store.getState().shown === 'hiddenWhileIdle') recheck()
    },
    wish(wish) {
      presence = { ...presence, wish, lastInputAt: clock.now() }
      savedIn?.setItem(KEY, wish)
      recheck()
    },
    hideAfter(ms) {
      if (ms === presence.hideAfterMs) return
      presence = { ...presence, hideAfterMs: ms }
      recheck()
    },
  }
}

/** Tests have no window. */
const storage = typeof window === 'undefined' ? null : window.sessionStorage
export const privacy: Privacy = createPrivacy(windowClock, storage)
